import type { Family } from "./shape.ts";
import type { Entry } from "./tables.ts";
import type { Step } from "./traversal.ts";

/** Guests that a data source lists, whose rows name the list only. */
const guests: Readonly<Record<string, string>> = {
  name: "name",
  node_name: "node",
  status: "status",
  tags: "tags",
  template: "template",
  vm_id: "vmid",
};

/** A list of theirs: the list or map here, and where its members are. */
interface Reshaped {
  readonly into: string;
  readonly members: Readonly<Record<string, string>>;
  /** What the keys here begin with: `net` of `net0`. */
  readonly prefix?: string;
}

/** Members of objects under a name, by their name: those that have one of another name here, and the same value. */
function membersOf({ rows }: Entry, more: Readonly<Record<string, string>>, name: string, into: string, skip: Skip) {
  const all = { ...rows, ...Object.fromEntries(Object.entries(more).map(([path, place]) => [path, `=${place}`])) };
  const own = Object.entries(all).flatMap(([path, row]) => {
    const inner = path.startsWith(`${name}.`) ? path.slice(name.length + 1) : "";
    const target = row.startsWith(`=${into}.`) ? row.slice(into.length + 2) : "";
    return inner === "" || target === "" || inner.includes(".") || skip(path) ? [] : [[inner, target] as const];
  });
  return Object.fromEntries(own);
}

type Skip = (path: string) => boolean;

export interface Listed {
  readonly entry: Entry;
  readonly rows: Readonly<Record<string, string>>;
  readonly families: Readonly<Record<string, Family>>;
  /** Whether the value of an attribute has another form here. */
  readonly isConverted: Skip;
}

function reshapedOf({ entry, rows, families, isConverted }: Listed, name: string): Reshaped | undefined {
  if (entry.kind === "data") {
    const into = entry.rows[name]?.slice(1) ?? (entry.objects.includes(name) ? name : "");
    const members = ["vms", "containers"].includes(name) ? guests : membersOf(entry, rows, name, into, isConverted);
    return Object.keys(members).length === 0 ? undefined : { into, members };
  }
  const family = families[name];
  if (family?.into !== "networks" || typeof family.key === "string" || family.isLayer === true) return undefined;
  const { prefix = "net" } = family.key;
  return {
    into: family.into,
    members: membersOf(entry, rows, name, family.into, isConverted),
    prefix: prefix || "net",
  };
}

/**
 * A reference to a list of objects that is a map here, or whose members have other names: one member of one object, or else
 * the list as it was. Undefined: there is no such list.
 */
export function inReshapedList(listed: Listed, head: string, steps: readonly Step[], text: string): string | undefined {
  const [first, index, member] = steps;
  if (first?.kind !== "name" || head.includes("[*]")) return undefined;
  const reshaped = reshapedOf(listed, first.name);
  if (reshaped === undefined) return undefined;
  const { into, members, prefix } = reshaped;
  const memberOf = (key: string, target: string) =>
    prefix !== undefined && target === "mac" ? `${head}.mac_addresses[${key}]` : undefined;
  const target = member?.kind === "name" && steps.length === 3 ? members[member.name] : undefined;
  if (target !== undefined && prefix === undefined)
    return `${head}.${into}${text.slice(first.name.length).replace(/\w+$/, target)}`;
  if (target !== undefined && index?.kind === "index" && index.literal !== undefined) {
    const key = `"${prefix}${index.literal}"`;
    return memberOf(key, target) ?? `${head}.${into}[${key}].${target}`;
  }
  const shown = Object.entries(members).map(
    ([name, target]) => `${name} = ${memberOf("key", target) ?? `one.${target}`}`,
  );
  const names = prefix === undefined ? "one" : "key, one";
  return `[for ${names} in ${head}.${into} : { ${shown.join(", ")} }]${text.slice(first.name.length)}`;
}
