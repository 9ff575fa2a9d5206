import type { Session } from "../session.ts";

/**
 * A digest covers a whole file, so changes of different objects in one file outdate each other. Those of this process read
 * and write one after the other; only other clients cause another attempt.
 */
export function oneAtATime<T>(api: Session, file: string, work: () => Promise<T>): Promise<T> {
  const queue = api.store.keep(`changes of ${file}`, () => ({ last: Promise.resolve() as Promise<unknown> }));
  const turn = queue.last.then(work, work);
  queue.last = turn.catch(() => {});
  return turn;
}
