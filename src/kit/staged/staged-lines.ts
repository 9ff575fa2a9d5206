import { meaningOf } from "./interface-meaning.ts";

/** What a staged file of interfaces changes of one interface. */
export type StagedState = "new" | "changed" | "deleted";

/** An interface with what is staged, by PVE's names. */
type Listed = Readonly<Record<string, unknown>>;

export interface StagedLines {
  readonly interfaces: ReadonlyMap<string, StagedState>;
  /** What only one of the two files says of an interface that differs. */
  readonly differences: ReadonlyMap<string, readonly string[]>;
  /** Whether lines differ that no interface can be named for. Comments and the order of the file are no difference. */
  readonly isUnnamed: boolean;
}

/**
 * The interfaces that a diff of a node's file changes; PVE shows no more than the diff (pve-manager `PVE/API2/Network.pm`). The
 * hunks are read as the old and the new text, interface by interface, since PVE puts network cards in front of bridges, and a
 * diff may show equal lines of two interfaces as moved. Lines above the first heading of a hunk belong to the interface before it
 * in `listed`, which is in the order of the file. In a hunk without any heading, the end of the file, or a value that one
 * interface alone has decides.
 */
export function stagedLines(diff: string, listed: readonly Listed[]): StagedLines {
  const interfaces = new Map<string, StagedState>();
  const differences = new Map<string, readonly string[]>();
  const [before, after] = [new Map<string, string[]>(), new Map<string, string[]>()];
  let isUnnamed = false;
  for (const hunk of hunksOf(diff)) {
    const old = interfacesIn(hunk, "+");
    const now = interfacesIn(hunk, "-");
    const topLines = differing(old.get(above), now.get(above));
    if (topLines.length > 0) {
      const owner = ownerOfTop(hunk.lines, listed);
      if (owner === null) isUnnamed = true;
      else {
        interfaces.set(owner, "changed");
        differences.set(owner, [...(differences.get(owner) ?? []), ...topLines]);
      }
    }
    isUnnamed ||= differing(old.get(file), now.get(file)).length > 0;
    collect(before, old);
    collect(after, now);
  }
  for (const name of new Set([...before.keys(), ...after.keys()])) {
    const [old, now] = [before.get(name), after.get(name)];
    const lines = differing(old, now);
    if (lines.length === 0) continue;
    interfaces.set(name, interfaces.get(name) ?? stateOf(old, now));
    differences.set(name, [...(differences.get(name) ?? []), ...lines]);
  }
  interfaces.delete("lo");
  return { interfaces, differences, isUnnamed };
}

/** Stands for the interface whose heading is above the hunk. */
const above = "";

/** Stands for the file itself: the lines that belong to no interface, such as `source /etc/network/interfaces.d/*`. */
const file = "\n";

function collect(all: Map<string, string[]>, found: ReadonlyMap<string, readonly string[]>): void {
  for (const [name, lines] of found) {
    if (name !== above && name !== file) all.set(name, [...(all.get(name) ?? []), ...lines]);
  }
}

const stateOf = (old: readonly string[] | undefined, now: readonly string[] | undefined): StagedState =>
  old !== undefined && now !== undefined ? "changed" : now === undefined ? "deleted" : "new";

function differing(old: readonly string[] = [], now: readonly string[] = []): string[] {
  const [a, b] = [new Set(meaningOf(old)), new Set(meaningOf(now))];
  return [...[...a].filter((line) => !b.has(line)), ...[...b].filter((line) => !a.has(line))];
}

interface Hunk {
  readonly lines: readonly string[];
  /** Nothing is above its first line. */
  readonly isTop: boolean;
}

const hunksOf = (diff: string): Hunk[] =>
  diff
    .split(/^(?=@@ )/m)
    .slice(1)
    .map((hunk) => ({
      lines: hunk.split("\n").filter((line) => /^[ +-]/.test(line)),
      isTop: /^@@ -[01]\b/.test(hunk),
    }));

/**
 * Lines of each interface, without those that only the other side has. A blank line ends an interface for PVE, and so does a line
 * for the file. Comments outside of interfaces are PVE's header, and what it drops.
 */
function interfacesIn({ lines, isTop }: Hunk, other: "+" | "-"): Map<string, string[]> {
  const found = new Map<string, string[]>();
  const add = (name: string, line: string) => found.set(name, [...(found.get(name) ?? []), line]);
  let current = isTop ? file : above;
  for (const line of lines.filter((text) => !text.startsWith(other)).map((text) => text.slice(1).trim())) {
    const [, word = "", rest = ""] = /^(auto|iface|allow-\S+)\s+(.*)$/.exec(line) ?? [];
    const names = rest.split(/\s+/);
    if (word === "iface") {
      current = names[0] ?? file;
      add(current, `iface ${names.slice(1).join(" ")}`);
    } else if (word !== "") {
      current = names.at(-1) ?? file;
      for (const name of names) add(name, /^allow-(auto|hotplug)$/.test(word) ? "auto" : word);
    } else if (line === "" || /^(source|source-directory|mapping)\s/.test(line)) {
      current = file;
      if (line !== "") add(file, line);
    } else if (current !== file || !line.startsWith("#")) add(current, line);
  }
  return found;
}

/** The part for IPv6 follows that for IPv4 of the same interface. */
function ownerOfTop(hunk: readonly string[], listed: readonly Listed[]): string | null {
  const names = listed.map(({ iface }) => String(iface));
  const headings = hunk.map((line) => /^.(?:auto|iface|allow-\S+)\s+(\S+)(\s+inet6)?/.exec(line)).filter((one) => one);
  // The list has the order of the new file.
  const [, next, isSecond] = headings.find((found) => !found?.[0].startsWith("-")) ?? headings[0] ?? [];
  if (next !== undefined) return isSecond === undefined ? (names[names.indexOf(next) - 1] ?? null) : next;
  const last = hunk.findLastIndex((line) => !line.startsWith(" "));
  return hunk.length - last - 1 < contextLines || hunk.some(isLineOfFile)
    ? (names.at(-1) ?? null)
    : onlyOneWith(hunk, listed);
}

const isLineOfFile = (line: string): boolean => /^.(source|source-directory|mapping)\s/.test(line);

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
