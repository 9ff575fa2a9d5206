import type { RawParameters } from "../schema/validate.ts";

/**
 * AnyEvent.pm's `decode_urlencoded`, with its peculiarities: `;` separates like `&`, a value ends at a second `=`, a
 * name without `=` has no value, and a repeated name gives a list. `bytes` has one character per byte.
 */
export function decodeForm(bytes: string): RawParameters {
  const params: RawParameters = {};
  if (bytes === "" || bytes === "0") {
    return params;
  }
  // Perl's split drops trailing empty fields, but keeps the others.
  for (const pair of bytes.replace(/[&;]+$/, "").split(/[&;]/)) {
    const [name = "", value] = pair.split("=");
    const key = unescapeBytes(name).toString("latin1");
    if (value === undefined) {
      params[key] = undefined;
      continue;
    }
    const decoded = unescapeBytes(value).toString("utf8");
    const old = params[key];
    params[key] = old === undefined ? decoded : [...(Array.isArray(old) ? old : [old]), decoded];
  }
  return params;
}

function unescapeBytes(text: string): Buffer {
  const plain = text
    .replaceAll("+", " ")
    .replace(/%([0-9a-fA-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(plain, "latin1");
}
