import type { SectionOptions } from "../core/world/section.ts";

function asText(value: unknown): string {
  return typeof value === "boolean" ? (value ? "1" : "0") : String(value);
}

const isGiven = ([, value]: [string, unknown]) => value !== undefined && value !== null;

/** What a configuration file holds: texts, and a line each for the members of a list. */
export function asOptions(fields: Readonly<Record<string, unknown>>): SectionOptions {
  return Object.fromEntries(
    Object.entries(fields)
      .filter(isGiven)
      .map(([name, value]) => [name, Array.isArray(value) ? value.map(String) : asText(value)]),
  );
}

/** Members as the texts of a file. */
export function asTexts(fields: Readonly<Record<string, unknown>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(fields)
      .filter(isGiven)
      .map(([name, value]) => [name, asText(value)]),
  );
}
