import type { Upid } from "../tasks/upid.ts";

/** A worker, running or finished, with its log file. */
export interface TaskRecord extends Upid {
  readonly upid: string;
  /** The start with its fraction of a second, which a UPID has not. */
  readonly began?: number;
  log: string[];
  /** Set when the process has ended; the exit status is the log's last line. */
  ended?: number;
  exitstatus?: string;
  /** Set when the daemon has reaped the worker and written it to the index: the task list's `endtime`. */
  archived?: number;
}
