import type { Failed } from "../define/provider-definition.ts";
import type { Attributes } from "../schema/attribute.ts";
import { parseDuration, type TimedOperation } from "../schema/timeouts.ts";
import { memberOf, type Value } from "../values/value.ts";

/** Node's timers fire at once for a longer delay. */
const LONGEST = 2 ** 31 - 1;

/** The time limit of an operation. Must be ended: otherwise a limit of an hour keeps its timer for an hour. */
export class Deadline {
  readonly signal: AbortSignal;
  /** Null: no limit. */
  readonly date: Date | null = null;
  readonly #limit: string | undefined;
  readonly #timer: NodeJS.Timeout | undefined;

  constructor(stop: AbortSignal, limit?: string) {
    const milliseconds = limit === undefined ? null : parseDuration(limit);
    this.#limit = limit;
    this.signal = stop;
    if (milliseconds === null) return;
    const clock = new AbortController();
    const late = () => clock.abort(new DOMException(`It was not done within ${limit}.`, "TimeoutError"));
    this.#timer = setTimeout(late, Math.min(milliseconds, LONGEST)).unref();
    this.signal = AbortSignal.any([stop, clock.signal]);
    this.date = new Date(Date.now() + milliseconds);
  }

  /** The limit in a resource's `timeouts` attribute, or its author's default. */
  static of(attributes: Attributes, value: Value, operation: TimedOperation, stop: AbortSignal): Deadline {
    const given = memberOf(memberOf(value, "timeouts"), operation);
    return new Deadline(stop, typeof given === "string" ? given : attributes["timeouts"]?.timeouts?.[operation]);
  }

  end(): void {
    clearTimeout(this.#timer);
  }

  /** Why the signal was aborted, as summary and detail. */
  excuse({ operation, type }: Failed): [string, string] {
    if (this.signal.reason instanceof DOMException && this.signal.reason.name === "TimeoutError" && this.#limit) {
      const cure = `To allow more, set \`timeouts = { ${operation} = "…" }\`.`;
      return [`Timeout: ${operation} ${type}`, `It was not done within ${this.#limit}. ${cure}`];
    }
    return [`Interrupted: ${operation} ${type}`, "Terraform was asked to stop before it was done."];
  }
}
