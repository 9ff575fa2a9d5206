import { EventEmitter, once } from "node:events";

/**
 * Work of one kind that this process has under way. Terraform does at the same time what does not refer to each other, and
 * does not say what else it will do: a caller that depends on it waits while there is work, and a moment longer.
 */
export class Activity {
  readonly #events = new EventEmitter().setMaxListeners(0);
  #underWay = 0;
  #begun = 0;
  #isConcurrent = false;
  #ended = 0;

  /** Counts as work; who waits looks again when it is over. */
  async during<T>(work: () => Promise<T>): Promise<T> {
    this.#underWay++;
    this.#begun++;
    this.#isConcurrent ||= this.#begun > 1;
    this.#events.emit("begin");
    try {
      return await work();
    } finally {
      this.#underWay--;
      this.#begun--;
      this.#ended++;
      this.#events.emit("change");
    }
  }

  /** Whether a caller that is part of the work has no company. */
  get isAlone(): boolean {
    return this.#underWay <= 1;
  }

  /**
   * Whether Terraform has been seen to do several things at a time. If not, it may be waiting for the caller before it
   * begins the next one (`-parallelism=1`).
   */
  get isConcurrent(): boolean {
    return this.#isConcurrent;
  }

  /** Whether none is under way. */
  get isIdle(): boolean {
    return this.#underWay === 0;
  }

  /** How much of it is over. */
  get ended(): number {
    return this.#ended;
  }

  /** Something became known before the work ended: waiting callers check again. */
  tell(): void {
    this.#events.emit("change");
  }

  /** Waits until some work is over; false if none was under way, and none began, for that long. */
  async next(graceMs: number, signal: AbortSignal): Promise<boolean> {
    if (this.#underWay === 0 && !(await this.#begins(graceMs, signal))) return false;
    if (this.#underWay > 0) await once(this.#events, "change", { signal });
    return true;
  }

  /** Waits for something as long as there is work under way; the waiting caller does not count as work. */
  async until(isSettled: () => boolean, graceMs: number, signal: AbortSignal): Promise<void> {
    if (isSettled()) return;
    this.#underWay--;
    this.#events.emit("change");
    try {
      while (!isSettled() && (await this.next(graceMs, signal)));
    } finally {
      this.#underWay++;
    }
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
