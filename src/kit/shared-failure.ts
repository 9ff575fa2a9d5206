import { setTimeout as sleep } from "node:timers/promises";

/** Terraform asks for the next resource within milliseconds of an answer; when no further one comes, all have asked. */
const quietMs = { alone: 25, inCompany: 250 };
const patienceMs = 30_000;

/**
 * A failure that many resources of a run have in common. Each reports to Terraform on its own and none knows which is the
 * last, so the first holds its answer until the others have come by, and reports for all of them.
 */
export class SharedFailure {
  /** How many more resources it has hit. */
  others = 0;

  /** `hasCompany`: whether other resources are at work that may be hit, too. */
  async untilQuiet(hasCompany?: () => boolean): Promise<void> {
    const until = performance.now() + patienceMs;
    for (let seen = -1; (seen !== this.others || hasCompany?.()) && performance.now() < until; ) {
      seen = this.others;
      await sleep(hasCompany?.() === false && this.others === 0 ? quietMs.alone : quietMs.inCompany);
    }
  }
}
