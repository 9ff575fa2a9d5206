/** Names for a sentence, in order: `` `ceph`, `local` ``. */
export function enumerate(names: Iterable<string>): string {
  const quoted = [...new Set(names)].sort().map((name) => `\`${name}\``);
  return quoted.join(", ") || "none";
}
