/** How many of the last tasks of a type are remembered. */
const remembered = 4;
/** A task was seen running so shortly before its end, as a share of its age, that the end is known well enough. */
const narrow = 0.25;
/** A task whose end was only seen long after may have taken less: the next one is looked at a little earlier. */
const earlier = 0.95;

/** How long tasks of each type took in this run, in milliseconds. All nodes share it. */
export class TaskTimes {
  readonly #times = new Map<string, readonly number[]>();

  /** The shortest of the last ones: the age at which an end is due. Undefined: none has ended yet. */
  expected(type: string): number | undefined {
    const known = this.#times.get(type);
    return known && Math.min(...known);
  }

  /** A task has succeeded: at the age of `lastSeen` it still ran, at the age of `end` it did not. */
  learn(type: string, { lastSeen, end }: { readonly lastSeen: number; readonly end: number }): void {
    const time = end - lastSeen <= narrow * end ? (lastSeen + end) / 2 : end * earlier;
    this.#times.set(type, [time, ...(this.#times.get(type) ?? [])].slice(0, remembered));
  }
}
