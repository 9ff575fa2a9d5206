import type { Session } from "./session.ts";

/** A volume of `proxmox_disk`, as it is or will be after this run. */
export interface PersistentDisk {
  /** The node that alone has it; null: its storage is shared. */
  readonly node: string | null;
  readonly size: string;
  /** Whether it was refreshed: then this is a plan, which has also read the guests in the state. */
  readonly isRefreshed?: boolean;
  /** Whether this run grows it to that size. */
  readonly isGrown?: boolean;
}

/** Those that this run has read or planned, by volume ID. */
export const persistentDisks = (api: Session): Map<string, PersistentDisk> =>
  api.store.keep("persistent disks", () => new Map());
