/** How many letters have to be changed, added or dropped to make one name of the other. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (const [index, letter] of [...a].entries()) {
    const next = [index + 1];
    for (const [at, other] of [...b].entries()) {
      const replaced = (row[at] ?? 0) + (letter === other ? 0 : 1);
      next.push(Math.min(replaced, (row[at + 1] ?? 0) + 1, (next[at] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}

/** How far a name is from the one that was written: 0 where one is part of the other. */
function farness(sought: string, name: string): number {
  const lower = name.toLowerCase();
  return lower.includes(sought) || sought.includes(lower) ? 0 : distance(sought, lower);
}

/** The length of the common beginning, where it is long enough to mean something. */
function kinship(sought: string, name: string): number {
  const lower = name.toLowerCase();
  const differs = [...sought].findIndex((letter, at) => letter !== lower[at]);
  const length = differs < 0 ? sought.length : differs;
  return length < 3 ? 0 : length;
}

/** All names, those first that the author of this one may have meant; the others by their beginnings, then by alphabet. */
function rankNames(wanted: string, names: Iterable<string>) {
  const [sought, allowed] = [wanted.toLowerCase(), Math.max(2, Math.floor(wanted.length / 3))];
  const isNear = (far: number) => wanted !== "" && far <= allowed;
  return [...new Set(names)]
    .map((name) => ({ name, far: farness(sought, name), kin: kinship(sought, name) }))
    .map(({ name, far, kin }) => ({ name, isNear: isNear(far), rank: isNear(far) ? far : allowed + 1, kin }))
    .sort((a, b) => a.rank - b.rank || (a.isNear ? 0 : b.kin - a.kin) || (a.name < b.name ? -1 : 1));
}

/** Names that the author of this one may have meant, the likeliest first: parts of each other, or few letters apart. */
export function nearNames(wanted: string, names: readonly string[], limit = 5): string[] {
  return rankNames(wanted, names)
    .filter(({ isNear }) => isNear)
    .slice(0, limit)
    .map(({ name }) => name);
}

/** How many names a message lists at most. */
const listed = 12;

/** The end of a message about a name that does not exist: what may have been meant, and what there is. */
export function alternatives(wanted: string, names: Iterable<string>): string {
  const there = rankNames(wanted, names);
  const near = there.filter(({ isNear }) => isNear).slice(0, 3);
  const quoted = (some: typeof there) => some.map(({ name }) => `\`${name}\``);
  const more = there.length > listed ? ` and ${there.length - listed} more` : "";
  const available = `Available: ${quoted(there.slice(0, listed)).join(", ") || "none"}${more}.`;
  return near.length === 0 || (there.length === near.length && near.length > 1)
    ? available
    : `Did you mean ${quoted(near).join(" or ")}? ${available}`;
}
