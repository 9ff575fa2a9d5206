import { splitTokenId } from "../core/access/identity.ts";
import type { Upid } from "../core/tasks/upid.ts";
import type { TaskRecord } from "../core/world/tasks.ts";

export interface TaskEntry extends Upid {
  readonly upid: string;
  readonly tokenid?: string;
  readonly saved?: string;
  readonly endtime?: number;
  readonly status?: string;
}

/** A task as in the index of finished tasks: the token is separate from its user. */
export function archivedEntry(record: TaskRecord): TaskEntry {
  return separateToken({
    ...process(record),
    endtime: Math.floor(record.archived ?? 0),
    status: record.exitstatus ?? "",
  });
}

/** A task as in the list of running workers. */
export function activeEntry(record: TaskRecord): TaskEntry {
  return { ...process(record), saved: "0" };
}

export function process(record: TaskRecord): TaskEntry {
  const { upid, node, pid, pstart, starttime, type, id, user } = record;
  return { upid, node, pid, pstart, starttime, type, id, user };
}

export function separateToken<T extends { user: string }>(entry: T): T & { tokenid?: string } {
  const split = splitTokenId(entry.user);
  return split === undefined ? entry : { ...entry, user: split.user, tokenid: split.token };
}

/** `ok`, `warning`, `error` or `unknown` (pve-common `src/PVE/UPID.pm`, `normalize_status_type`). */
export function statusType(status: string | undefined): string {
  if (status === undefined || status === "" || status === "unexpected status") {
    return "unknown";
  }
  if (status === "OK") {
    return "ok";
  }
  return /^WARNINGS: \d+$/.test(status) ? "warning" : "error";
}
