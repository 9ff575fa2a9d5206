import { PveError } from "../errors.ts";
import type { Parameters, Scalar } from "./call.ts";

type Placeholder<T extends string> = T extends `${string}{${infer Name}}${infer Rest}`
  ? Name | Placeholder<Rest>
  : never;

/**
 * The placeholders of a path template, each of which needs a value: `"node" | "vmid"` for `/nodes/{node}/qemu/{vmid}`.
 */
export type PathValues<T extends string> = Readonly<Record<Placeholder<T>, string | number>>;

/**
 * Encodes all but letters, digits and `-_.~`. PVE's form parser treats `;` as `&` and truncates a value at its second
 * `=` (pve-http-server: src/PVE/APIServer/AnyEvent.pm), so encoding less would change values silently.
 */
export function percentEncode(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

/** Fills the placeholders of `template` and returns the other `values` for the query or the body. */
export function expandPath(template: string, values: Parameters): { path: string; parameters: Parameters } {
  const rest: Record<string, Parameters[string]> = { ...values };
  const path = template.replace(/\{([^}]+)\}/g, (_, name: string) => {
    const value = values[name];
    delete rest[name];
    const isUsable =
      (typeof value === "string" && value !== "" && value !== "." && value !== "..") || typeof value === "number";
    if (!isUsable) {
      throw new PveError("invalid", `${template} requires a value for "${name}"`, { path: template });
    }
    return percentEncode(String(value));
  });
  return { path, parameters: rest };
}

/** `application/x-www-form-urlencoded`, for bodies and queries alike. */
export function encodeForm(parameters: Parameters): string {
  return Object.entries(parameters)
    .flatMap(([name, value]) => toTexts(value).map((text) => `${percentEncode(name)}=${percentEncode(text)}`))
    .join("&");
}

function toTexts(value: Parameters[string]): readonly string[] {
  if (value === undefined) {
    return [];
  }
  if (typeof value !== "object") {
    return [scalarText(value)];
  }
  return "each" in value ? value.each.map(scalarText) : [value.map(scalarText).join(",")];
}

function scalarText(value: Scalar): string {
  return typeof value === "boolean" ? (value ? "1" : "0") : String(value);
}
