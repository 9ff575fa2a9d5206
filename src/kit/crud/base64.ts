import type { Conversion } from "../wire/wired.ts";

const decode = (raw: unknown): string => Buffer.from(String(raw), "base64").toString("utf8");
const encode = (text: string): string => Buffer.from(text, "utf8").toString("base64");

/** A text that PVE keeps in base64. */
export const base64Text = {
  parse: decode,
  print: (text: unknown) => encode(String(text)),
} satisfies Conversion;

/**
 * A map of texts that PVE keeps as JSON in base64. PVE stores any text there and ignores what is no object (pve-manager:
 * PVE/Status/OpenTelemetry.pm, `_parse_headers`), so that is no map at all.
 */
export const base64Map = {
  parse: (raw: unknown) => textsIn(decode(raw)),
  print: (map: unknown) => encode(JSON.stringify(Object.fromEntries(Object.entries(map as object).sort()))),
} satisfies Conversion;

function textsIn(json: string): Readonly<Record<string, string>> | null {
  const object = parsed(json);
  if (typeof object !== "object" || object === null || Array.isArray(object)) return null;
  const texts = Object.entries(object).map(([name, value]): [string, string] => [
    name,
    typeof value === "string" ? value : JSON.stringify(value),
  ]);
  return texts.length === 0 ? null : Object.fromEntries(texts);
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return null;
  }
}
