/**
 * The log interface of this layer; the destination is not its concern. Some fields mean the same in every line: `task`
 * is a UPID, `duration_ms` the time taken, `wait_ms` the time about to be waited, and `event` marks a line for a trace:
 * `call`, `task`, `step` (with `step` and `outcome`), `lock_wait` or `retry`.
 */
export interface Logger {
  error(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  info(message: string, fields?: LogFields): void;
  debug(message: string, fields?: LogFields): void;
}

export type LogFields = Readonly<Record<string, unknown>>;

/** For callers without a log. */
export const silentLogger: Logger = { error() {}, warn() {}, info() {}, debug() {} };
