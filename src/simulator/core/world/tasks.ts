/** A worker, running or finished, with its log file. */
export interface TaskRecord {
  readonly upid: string;
  readonly node: string;
  readonly pid: number;
  readonly pstart: number;
  readonly starttime: number;
  readonly type: string;
  readonly id: string;
  /** With the token, as in the UPID. */
  readonly user: string;
  log: string[];
  /** Set when the process has ended; the exit status is the log's last line. */
  ended?: number;
  exitstatus?: string;
  /** Set when the daemon has reaped the worker and written it to the index: the task list's `endtime`. */
  archived?: number;
}
