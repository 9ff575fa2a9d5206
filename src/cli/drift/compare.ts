import type { Fields } from "../export/reader.ts";
import type { Objects } from "./objects.ts";

export interface Changed {
  /** `scsi0`, `rules` */
  readonly member: string;
  readonly before: unknown;
  readonly after: unknown;
}

export interface Difference {
  readonly object: string;
  readonly kind: "added" | "removed" | "changed";
  readonly members: readonly Changed[];
}

/** Text that is the same for values that mean the same: members of an object have no order. */
export function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map((one) => canonical(one)).join(",")}]`;
  if (typeof value !== "object" || value === null)
    return typeof value === "number" ? `"${value}"` : JSON.stringify(value ?? null);
  const entries = Object.entries(value as Fields).filter(([, one]) => one !== undefined);
  return `{${entries
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, one]) => `${JSON.stringify(name)}:${canonical(one)}`)
    .join(",")}}`;
}

function membersThatDiffer(before: Fields, after: Fields): Changed[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort();
  return names
    .filter((member) => canonical(before[member]) !== canonical(after[member]))
    .map((member) => ({ member, before: before[member] ?? null, after: after[member] ?? null }));
}

/** What was added, removed and changed, ordered by object. Objects that could not be read again are not compared. */
export function compare(
  before: Objects,
  after: Objects,
  isKnown: (object: string) => boolean = () => true,
): Difference[] {
  const names = [...new Set([...before.keys(), ...after.keys()])].filter(isKnown);
  return names
    .sort((a, b) => a.localeCompare(b, "en", { numeric: true }))
    .flatMap((object): Difference[] => {
      const [old, now] = [before.get(object), after.get(object)];
      if (old === undefined) return [{ object, kind: "added", members: [] }];
      if (now === undefined) return [{ object, kind: "removed", members: [] }];
      const members = membersThatDiffer(old, now);
      return members.length === 0 ? [] : [{ object, kind: "changed", members }];
    });
}
