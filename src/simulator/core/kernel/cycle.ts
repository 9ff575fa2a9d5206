import type { Clock } from "./clock.ts";

/** The loop of a daemon: a round every so many simulated seconds. It does not keep the process running. */
export class Cycle {
  #timer: NodeJS.Timeout | undefined;

  start(clock: Clock, seconds: number, round: () => void): void {
    this.stop();
    this.#timer = setInterval(round, (seconds * 1000) / clock.speed);
    this.#timer.unref();
  }

  stop(): void {
    clearInterval(this.#timer);
  }
}
