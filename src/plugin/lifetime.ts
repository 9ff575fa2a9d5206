import type { Logger } from "#framework";

/** Why the process ends, and its exit code. */
export interface Ending {
  reason: string;
  code: number;
}

/** The time that go-plugin waits for a plugin to start. */
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

  /**
   * `ignore` because a terminal sends Ctrl-C to this process as well, and Terraform ends the provider in its own way.
   */
  watchSignals(interrupt: "ignore" | "end"): void {
    process.on("SIGINT", () => {
      if (interrupt === "end") this.end("SIGINT");
    });
    process.on("SIGTERM", () => this.end("SIGTERM"));
    process.on("SIGHUP", () => this.end("SIGHUP"));
  }

  /** An uncaught error: the process is in an unknown state, so it logs the error, answers the open calls and ends. */
  watchFaults(log: Logger, answer: (fault: Error) => void): void {
    process.on("uncaughtException", (thrown, origin) => {
      const fault = thrown instanceof Error ? thrown : new Error(String(thrown));
      this.end(origin, 1);
      answer(fault);
      log.error(`the provider ends because of a bug in it: ${fault.message}`, { origin, error: fault.stack });
    });
  }

  /**
   * Ends when Terraform dies before it has connected; after that the connection shows it. Where a process cannot see
   * its parent's death (Windows, or a wrapper in between), a time limit applies instead. Returns a function that
   * cancels the watch.
   */
  watchParent(): () => void {
    const parent = process.ppid;
    const look = setInterval(() => {
      if (process.ppid !== parent) this.end("the parent process has ended", 1);
    }, lookForParentEvery);
    const giveUp = setTimeout(() => this.end("no client has connected", 1), connectWithin);
    return () => {
      clearInterval(look);
      clearTimeout(giveUp);
    };
  }
}
