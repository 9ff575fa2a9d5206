import type { Fields } from "./reader.ts";

/** `{ a: 1, b: "x" }` as PVE writes it in a file: `a=1,b=x`. */
const packed = (object: Fields): string =>
  Object.entries(object)
    .map(([name, value]) => `${name}=${Array.isArray(value) ? value.join(";") : String(value)}`)
    .join(",");

/** A number can be sent as text, and is text in a file. */
const packedValue = (value: unknown): unknown => {
  if (typeof value === "number") return String(value);
  if (Array.isArray(value)) return value.map((one) => packedValue(one));
  return typeof value === "object" && value !== null ? packed(value as Fields) : value;
};

/** What PVE adds to an answer, and is in no file. */
const added = ["digest", "pending", "state-pending", "errors", "checks"];

/** The options of a section as its file has them: without what the answer adds, objects as property strings. */
export function optionsIn(fields: Fields, drop: readonly string[] = []): Record<string, unknown> {
  const entries = Object.entries(fields).filter(([name]) => !added.includes(name) && !drop.includes(name));
  return Object.fromEntries(
    entries.filter(([, value]) => value !== null).map(([name, value]) => [name, packedValue(value)]),
  );
}

/** A number that can be sent as text. */
export const numeric = (value: unknown): number | undefined =>
  value === undefined || value === null ? undefined : Number(value);

/** Without members that are undefined or empty. */
export function given(fields: Fields): Record<string, unknown> {
  const isEmpty = (value: unknown): boolean =>
    value === undefined ||
    value === null ||
    (Array.isArray(value) && value.length === 0) ||
    (typeof value === "object" && !Array.isArray(value) && Object.keys(value).length === 0);
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => !isEmpty(value)));
}

export const listed = (text: unknown): string[] =>
  String(text ?? "")
    .split(/[,;\s]+/)
    .filter(Boolean);

export const allOf = async <T, R>(items: readonly T[], read: (item: T) => Promise<R>): Promise<R[]> =>
  Promise.all(items.map((item) => read(item)));

/** PVE ends a description with a line feed when it reads it. */
export const withoutLineFeed = (options: Fields): Fields =>
  typeof options["description"] === "string"
    ? { ...options, description: options["description"].replace(/\n$/, "") }
    : options;
