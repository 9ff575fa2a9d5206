import { type ConfigDraft, isSlot } from "#kit";
import type { GuestAddress } from "#pve";
import type { GuestQuery } from "../context.ts";
import { pendingOf } from "./known.ts";

/** A running guest: its configuration as it runs, and the options whose change waits for a restart. */
export interface RunningGuest {
  readonly running: ConfigDraft;
  readonly pending: readonly string[];
  /** Those of them that the restart removes. */
  readonly removed: readonly string[];
  /** Slots with one volume, for which another one waits. */
  readonly exchanged: readonly string[];
}

/** The volume that a line names. */
export const volumeOf = (line: unknown): string => String(line ?? "").split(",")[0] ?? "";

export async function readRunning(query: GuestQuery, guest: GuestAddress): Promise<RunningGuest> {
  const { kind, api } = query;
  const options = await pendingOf(query, guest);
  const values = options.flatMap(({ key, value }) => (value === undefined ? [] : [[key, value] as const]));
  const waiting = options.filter(({ pending, delete: removed }) => pending !== undefined || removed !== undefined);
  const removed = waiting.filter((option) => option.delete !== undefined);
  const exchanged = waiting.filter(
    ({ key, value, pending }) =>
      value !== undefined &&
      pending !== undefined &&
      isSlot(key, kind.families.volumes) &&
      volumeOf(value) !== volumeOf(pending),
  );
  return {
    running: kind.draft(api, Object.fromEntries(values)),
    pending: waiting.map(({ key }) => key),
    removed: removed.map(({ key }) => key),
    exchanged: exchanged.map(({ key }) => key),
  };
}

/** Options whose change waits for the next start, and those of them that it removes. */
export interface PendingOptions {
  readonly pending: string[];
  readonly removed: readonly string[];
}

export async function pendingOptions(
  query: GuestQuery,
  guest: GuestAddress,
): Promise<PendingOptions & Pick<RunningGuest, "running">> {
  const { running, pending, removed } = await readRunning(query, guest);
  return { running, pending: [...pending].sort(), removed };
}
