import type { Logger } from "../logger.ts";
import type { Report } from "../report.ts";
import type { Attributes } from "../schema/attribute.ts";
import type { Config, PathOf } from "../schema/views.ts";

export type Awaitable<T> = T | Promise<T>;

/** What every hook receives. */
export interface CallContext<A extends Attributes = Attributes> {
  /**
   * Aborted by Ctrl-C and, where the resource has timeouts, at the operation's deadline. Pass it to everything that
   * waits.
   */
  readonly signal: AbortSignal;
  readonly report: Report<PathOf<A>>;
  readonly log: Logger;
}

/** Validation runs without a configured provider, and with values that are not known yet (`undefined`). */
export interface ValidateContext<A extends Attributes> extends CallContext<A> {
  readonly config: Config<A>;
}
