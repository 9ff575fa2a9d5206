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

/** Lists of an export whose order has a meaning. */
const ordered = new Set(["rules", "options", "servers"]);

/** Texts of people: a comma in them separates nothing. */
const isProse = (member: string): boolean => /^(comments?|description|notes|name|alias|text)$/.test(member);

/**
 * The value as PVE could print it at another time: it prints lists and the parts of a line in the order of a Perl hash. What a
 * Terraform state has is in order already.
 */
export function inOrder(value: unknown, member = ""): unknown {
  if (Array.isArray(value)) {
    const elements = value.map((one) => inOrder(one));
    return ordered.has(member) ? elements : elements.sort(byText);
  }
  if (typeof value === "string") return isProse(member) ? value : value.split(",").sort().join(",");
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, inOrder(one, name)]));
}

const byText = (a: unknown, b: unknown): number => (canonical(a) < canonical(b) ? -1 : 1);

/** Text that is the same for values that mean the same: members of an object have no order. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map((one) => canonical(one)).join(",")}]`;
  if (typeof value !== "object" || value === null)
    return typeof value === "number" ? `"${value}"` : JSON.stringify(value ?? null);
  const entries = Object.entries(value as Fields).filter(([, one]) => one !== undefined);
  return `{${entries
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, one]) => `${JSON.stringify(name)}:${canonical(one)}`)
    .join(",")}}`;
}

/** How a value that was read is brought into the form that is compared. */
type Form = (value: unknown, member: string) => unknown;

function membersThatDiffer(before: Fields, after: Fields, form: Form): Changed[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort();
  const textOf = (fields: Fields, member: string) => canonical(form(fields[member], member));
  return names
    .filter((member) => textOf(before, member) !== textOf(after, member))
    .map((member) => ({ member, before: before[member] ?? null, after: after[member] ?? null }));
}

/** What was added, removed and changed, ordered by object. Objects that could not be read again are not compared. */
export function compare(
  before: Objects,
  after: Objects,
  isKnown: (object: string) => boolean = () => true,
  form: Form = inOrder,
): Difference[] {
  const names = [...new Set([...before.keys(), ...after.keys()])].filter(isKnown);
  return names
    .sort((a, b) => a.localeCompare(b, "en", { numeric: true }))
    .flatMap((object): Difference[] => {
      const [old, now] = [before.get(object), after.get(object)];
      if (old === undefined) return [{ object, kind: "added", members: [] }];
      if (now === undefined) return [{ object, kind: "removed", members: [] }];
      const members = membersThatDiffer(old, now, form);
      return members.length === 0 ? [] : [{ object, kind: "changed", members }];
    });
}
