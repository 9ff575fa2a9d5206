/**
 * What this layer needs of a log: it is handed one and never knows where the lines go. Some fields mean the same in every
 * line: `task` is a UPID, `duration_ms` how long it took, `wait_ms` how long is going to be waited, and `event` makes the
 * line one for a trace: `call`, `task`, `step` (with `step` and `outcome`), `lock_wait` or `retry`.
 */
export interface Logger {
  error(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  info(message: string, fields?: LogFields): void;
  debug(message: string, fields?: LogFields): void;
}

export type LogFields = Readonly<Record<string, unknown>>;

/** For whoever does not want to be told. */
export const silentLogger: Logger = { error() {}, warn() {}, info() {}, debug() {} };
