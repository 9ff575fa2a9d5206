import type { Conversion } from "../wire/wired.ts";

const decode = (raw: unknown): string => Buffer.from(String(raw), "base64").toString("utf8");
const encode = (text: string): string => Buffer.from(text, "utf8").toString("base64");

/** A text that PVE keeps in base64. */
export const base64Text = {
  parse: decode,
  print: (text: unknown) => encode(String(text)),
} satisfies Conversion;

/** A map of texts that PVE keeps as JSON in base64. */
export const base64Map = {
  parse: (raw: unknown) => JSON.parse(decode(raw)) as unknown,
  print: (map: unknown) => encode(JSON.stringify(Object.fromEntries(Object.entries(map as object).sort()))),
} satisfies Conversion;
