import type { Task } from "../core/kernel/process.ts";
import type { Parsed } from "../core/schema/property-string.ts";
import type { Guest } from "../core/world/guest.ts";
import type { Storage } from "../core/world/storage.ts";

export interface BackupOptions {
  readonly storage: Storage;
  readonly mode: string;
  readonly compress: string;
  readonly bwlimit: number;
  readonly ionice: number;
  /** Seconds that a guest may take to shut down. */
  readonly stopSeconds: number;
  readonly keep: Parsed;
  /** Whether older backups that the retention does not cover are removed. */
  readonly remove: boolean;
  readonly notes: string | undefined;
  readonly isProtected: boolean;
}

/** The backup of one guest. */
export interface Work {
  readonly task: Task;
  readonly guest: Guest;
  readonly options: BackupOptions;
  /** An `INFO:` line of the task's log. */
  readonly log: (text: string) => void;
}
