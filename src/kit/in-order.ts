/** Sorted by text, letter by letter: by the first of the keys, among equals by the next. The same on every machine. */
export function inOrder<T>(items: readonly T[], keysOf: (item: T) => readonly string[]): T[] {
  return items.toSorted((a, b) => {
    const [ours, theirs] = [keysOf(a), keysOf(b)];
    const at = ours.findIndex((key, index) => key !== theirs[index]);
    return at < 0 ? 0 : (ours[at] ?? "") < (theirs[at] ?? "") ? -1 : 1;
  });
}
