import type { Logger } from "#framework";

/** Why the process ends, and what it tells whoever waits for it. */
export interface Ending {
  reason: string;
  code: number;
}

/** go-plugin's own patience with a plugin that starts. */
const connectWithin = 60_000;

const lookForParentEvery = 1_000;

/** Waits for the first reason to end the process. It ends nothing itself. */
export class Lifetime {
  readonly #ending = Promise.withResolvers<Ending>();

  get ending(): Promise<Ending> {
    return this.#ending.promise;
  }

  /** The first reason counts. */
  end(reason: string, code = 0): void {
    this.#ending.resolve({ reason, code });
  }

  /** `ignore` because a terminal sends Ctrl-C to us as well, and Terraform wants to end us in its own way. */
  watchSignals(interrupt: "ignore" | "end"): void {
    process.on("SIGINT", () => {
      if (interrupt === "end") this.end("SIGINT");
    });
    process.on("SIGTERM", () => this.end("SIGTERM"));
    process.on("SIGHUP", () => this.end("SIGHUP"));
  }

  /** A fault nobody caught: the process is in an unknown state, so it says so, answers what it can and ends. */
  watchFaults(log: Logger, answer: (fault: Error) => void): void {
    process.on("uncaughtException", (thrown, origin) => {
      const fault = thrown instanceof Error ? thrown : new Error(String(thrown));
      this.end(origin, 1);
      answer(fault);
      log.error(`the provider ends because of a fault of its own: ${fault.message}`, { origin, error: fault.stack });
    });
  }

  /**
   * Ends when Terraform dies before it has connected; afterwards the connection tells. Where a process does not learn
   * of its parent's death (Windows, or a wrapper in between), patience runs out instead. Returns what calls it off.
   */
  watchParent(): () => void {
    const parent = process.ppid;
    const look = setInterval(() => {
      if (process.ppid !== parent) this.end("the process that started this one is gone", 1);
    }, lookForParentEvery);
    const giveUp = setTimeout(() => this.end("nobody has connected", 1), connectWithin);
    return () => {
      clearInterval(look);
      clearTimeout(giveUp);
    };
  }
}
