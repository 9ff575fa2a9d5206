/** `*` and `?` as in a shell, in any case of letters; everything else is itself. */
export function glob(pattern: string): (name: string) => boolean {
  const escaped = pattern.replace(/[.+^${}()|[\]\\]/g, "\\$&");
  const wanted = new RegExp(`^${escaped.replaceAll("*", ".*").replaceAll("?", ".")}$`, "i");
  return (name) => wanted.test(name);
}
