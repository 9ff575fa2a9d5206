import type { Conversion } from "../wire/wired.ts";

/** Items of an option that PVE takes once for each; none can hold a line feed, which no file of PVE's keeps. */
export const itemBreak = "\n";

/** How the items of a `repeated` option become one value, and how the value becomes items again. */
export const each = <T>(items: {
  parse(items: readonly string[]): T;
  print(value: T): readonly string[];
}): Conversion => ({
  parse: (raw) => items.parse(String(raw).split(itemBreak)),
  print: (value) => items.print(value as T).join(itemBreak),
});
