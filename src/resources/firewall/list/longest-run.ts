/** The indexes of a longest increasing subsequence: what can stay where it is when a list is put in order. */
export function longestRun(values: readonly number[]): Set<number> {
  const ends: number[] = [];
  const before = values.map(() => -1);
  for (const [index, value] of values.entries()) {
    let [low, high] = [0, ends.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((values[ends[middle] ?? 0] ?? 0) < value) low = middle + 1;
      else high = middle;
    }
    before[index] = low === 0 ? -1 : (ends[low - 1] ?? -1);
    ends[low] = index;
  }
  const run = new Set<number>();
  for (let index = ends.at(-1) ?? -1; index >= 0; index = before[index] ?? -1) run.add(index);
  return run;
}
