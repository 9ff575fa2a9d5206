/** What a staged file of interfaces changes of one interface. */
export type StagedState = "new" | "changed" | "deleted";

/** An interface with what is staged, by PVE's names. */
type Listed = Readonly<Record<string, unknown>>;

/**
 * The interfaces that a diff of a node's file changes; PVE shows no more than the diff (pve-manager `PVE/API2/Network.pm`). Each
 * hunk is read as the old and the new text, interface by interface, since a diff may show equal lines of two interfaces as
 * moved. Lines above the first heading of a hunk belong to the interface before it in `listed`, which is in the order of the
 * file. In a hunk without any heading, the end of the file, or a value that one interface alone has decides.
 */
export function changedInterfaces(diff: string, listed: readonly Listed[]): ReadonlyMap<string, StagedState> {
  const changed = new Map<string, StagedState>();
  for (const hunk of hunksOf(diff)) {
    const before = interfacesIn(hunk.filter((line) => !line.startsWith("+")));
    const after = interfacesIn(hunk.filter((line) => !line.startsWith("-")));
    for (const name of new Set([...before.keys(), ...after.keys()])) {
      const [old, now] = [before.get(name), after.get(name)];
      if (same(old, now)) continue;
      const owner = name === above ? ownerOfTop(hunk, listed) : name;
      if (owner === null || owner === "lo") continue;
      changed.set(owner, stateOf(name, changed.get(owner), old, now));
    }
  }
  return changed;
}

/** Stands for the interface whose heading is above the hunk. */
const above = "";

function stateOf(
  name: string,
  known: StagedState | undefined,
  old: readonly string[] | undefined,
  now: readonly string[] | undefined,
): StagedState {
  if (name === above || (old !== undefined && now !== undefined)) return "changed";
  const state = now === undefined ? "deleted" : "new";
  // Removed here and added there: it has moved.
  return known === undefined || known === state ? state : "changed";
}

const same = (a: readonly string[] = [], b: readonly string[] = []): boolean => a.join("\n") === b.join("\n");

const hunksOf = (diff: string): string[][] =>
  diff
    .split(/^@@.*$/m)
    .slice(1)
    .map((hunk) => hunk.split("\n").filter((line) => /^[ +-]/.test(line)));

/** Lines of each interface, without blank ones. */
function interfacesIn(lines: readonly string[]): Map<string, string[]> {
  const found = new Map<string, string[]>();
  let current = above;
  for (const line of lines.map((text) => text.slice(1).trim())) {
    const name = /^(?:auto|iface|allow-\S+)\s+(\S+)/.exec(line)?.[1];
    if (name !== undefined) current = name;
    else if (line === "") current = above === current ? above : between;
    if (line !== "" && current !== between) found.set(current, [...(found.get(current) ?? []), line]);
  }
  return found;
}

/** After the blank line that ends an interface; nothing but comments of the file. */
const between = "\n";

/** The part for IPv6 follows that for IPv4 of the same interface. */
function ownerOfTop(hunk: readonly string[], listed: readonly Listed[]): string | null {
  const names = listed.map(({ iface }) => String(iface));
  const heading = hunk.map((line) => /^.(?:auto|iface|allow-\S+)\s+(\S+)(\s+inet6)?/.exec(line)).find((found) => found);
  const [, next, isSecond] = heading ?? [];
  if (next !== undefined) return isSecond === undefined ? (names[names.indexOf(next) - 1] ?? null) : next;
  const last = hunk.findLastIndex((line) => !line.startsWith(" "));
  return hunk.length - last - 1 < contextLines ? (names.at(-1) ?? null) : onlyOneWith(hunk, listed);
}

/** Equal lines around a change that a diff shows; fewer follow at the end of the file. */
const contextLines = 3;

function onlyOneWith(hunk: readonly string[], listed: readonly Listed[]): string | null {
  const values = hunk
    .filter((line) => line.startsWith("+"))
    .map((line) =>
      line
        .slice(1)
        .trim()
        .replace(/^\S+\s+/, ""),
    );
  const has = (one: Listed) => values.some((value) => Object.values(one).some((option) => String(option) === value));
  const [only, ...others] = listed.filter(has);
  return only === undefined || others.length > 0 ? null : String(only["iface"]);
}
