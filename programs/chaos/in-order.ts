/** A step of a command; false: it failed, and what depends on it is left out. */
export interface Work {
  readonly after: readonly string[];
  run(): Promise<boolean>;
}

/** Does the work with limited parallelism and in the order of its dependencies; starts nothing more once it must stop. */
export async function inOrder(
  limit: number,
  work: ReadonlyMap<string, Work>,
  mayGoOn: () => boolean = () => true,
): Promise<void> {
  const begun = new Map<string, Promise<boolean>>();
  const free = slots(limit);
  const begin = (key: string): Promise<boolean> => {
    const done = begun.get(key) ?? perform(work.get(key));
    begun.set(key, done);
    return done;
  };
  const perform = async (one: Work | undefined): Promise<boolean> => {
    const before = await Promise.all((one?.after ?? []).filter((key) => work.has(key)).map(begin));
    if (one === undefined || before.includes(false)) return false;
    return free(() => (mayGoOn() ? one.run() : Promise.resolve(false)));
  };
  await Promise.all([...work.keys()].map(begin));
}

/** Lets so many run at a time, first come, first served. */
function slots(limit: number) {
  const queue: (() => void)[] = [];
  let running = 0;
  return async <T>(run: () => Promise<T>): Promise<T> => {
    if (running >= limit) await new Promise<void>((resume) => queue.push(resume));
    running += 1;
    try {
      return await run();
    } finally {
      running -= 1;
      queue.shift()?.();
    }
  };
}
