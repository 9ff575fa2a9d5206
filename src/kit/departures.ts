import { EventEmitter, once } from "node:events";
import type { Session } from "./session.ts";

/**
 * What this process is removing right now. Terraform removes at the same time what does not refer to each other, and PVE
 * refuses to remove what something is still in.
 */
export class Departures {
  readonly #events = new EventEmitter().setMaxListeners(0);
  #underWay = 0;

  /** Does what takes something away: whoever waits for that looks again when it is over. */
  async during<T>(work: () => Promise<T>): Promise<T> {
    this.#underWay++;
    this.#events.emit("begin");
    try {
      return await work();
    } finally {
      this.#underWay--;
      this.#events.emit("end");
    }
  }

  /** Waits until something has gone; false if nothing began to go for that long. */
  async next(graceMs: number, signal: AbortSignal): Promise<boolean> {
    if (this.#underWay === 0 && !(await this.#begins(graceMs, signal))) return false;
    if (this.#underWay > 0) await once(this.#events, "end", { signal });
    return true;
  }

  async #begins(graceMs: number, signal: AbortSignal): Promise<boolean> {
    const patience = AbortSignal.timeout(graceMs);
    try {
      await once(this.#events, "begin", { signal: AbortSignal.any([signal, patience]) });
      return true;
    } catch {
      signal.throwIfAborted();
      return false;
    }
  }
}

/** How many polls of the task list nothing has to happen before somebody else's object must be in the way. */
const gracePolls = 3;

interface Removal {
  readonly api: Session;
  readonly signal: AbortSignal;
}

/**
 * Removes what PVE keeps while something is in it. `remove` returns the refusal, or null once it is gone; while other
 * removals of this run are under way, or are about to begin, a refusal is not the last word.
 */
export async function removeAfterOthers({ api, signal }: Removal, remove: () => Promise<Error | null>): Promise<void> {
  const graceMs = gracePolls * api.settings.tasks.pollMs;
  for (let mayChange = true; ; ) {
    const refusal = await api.departures.during(remove);
    if (refusal === null) return;
    if (!mayChange) throw refusal;
    mayChange = await api.departures.next(graceMs, signal);
  }
}
