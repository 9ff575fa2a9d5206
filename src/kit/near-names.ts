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

/** Names that the author of this one may have meant, the likeliest first: parts of each other, or few letters apart. */
export function nearNames(wanted: string, names: readonly string[], limit = 5): string[] {
  const [sought, allowed] = [wanted.toLowerCase(), Math.max(2, Math.floor(wanted.length / 3))];
  const rated = [...new Set(names)].map((name) => {
    const lower = name.toLowerCase();
    const isPart = lower.includes(sought) || sought.includes(lower);
    return { name, rank: isPart ? 0 : distance(sought, lower) };
  });
  return rated
    .filter(({ rank }) => rank <= allowed)
    .sort((a, b) => a.rank - b.rank || (a.name < b.name ? -1 : 1))
    .slice(0, limit)
    .map(({ name }) => name);
}

/** How many names a message lists at most. */
const listed = 12;

/** The end of a message about a name that does not exist: what may have been meant, and what there is. */
export function alternatives(wanted: string, names: Iterable<string>): string {
  const there = [...new Set(names)].sort();
  const near = nearNames(wanted, there, 3).map((name) => `\`${name}\``);
  const shown = there.slice(0, listed).map((name) => `\`${name}\``);
  const more = there.length > listed ? ` and ${there.length - listed} more` : "";
  const available = `Available: ${shown.join(", ") || "none"}${more}.`;
  return near.length === 0 || (there.length === near.length && near.length > 1)
    ? available
    : `Did you mean ${near.join(" or ")}? ${available}`;
}
