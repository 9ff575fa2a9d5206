import { setTimeout as sleep } from "node:timers/promises";
import type { GuestAddress, GuestConfig } from "#pve";
import { addressOf } from "../address.ts";
import type { GuestQuery } from "../context.ts";
import type { GuestKind } from "../kind.ts";
import { markOf } from "../mark.ts";
import type { GuestPrivateState } from "../private-state.ts";

/** Whether PVE is still cloning, restoring or creating the guest: its configuration may not be complete yet. */
export const isBeingMade = ({ cloneLock }: GuestKind, { lock }: GuestConfig): boolean =>
  lock !== undefined && [cloneLock, "create"].includes(lock);

/**
 * What a guest in the state is whose create was given up before anything was known about it: only its mark shows that it is
 * ours, and PVE may write that last. Null: it was read before, so that its fingerprint decides.
 */
export function standingOf(
  kind: GuestKind,
  { fingerprint, mark }: Pick<GuestPrivateState, "fingerprint" | "mark">,
  config: GuestConfig,
): "ours" | "foreign" | "unknown" | null {
  if (fingerprint !== null || mark === null) return null;
  if (markOf(config.description) === mark) return "ours";
  return isBeingMade(kind, config) ? "unknown" : "foreign";
}

const pauseMs = 500;
/** A task is listed a moment after it began, and its lock is released a moment before it ends. */
const looksWithoutTask = 4;

/** Waits for the end of the task that makes the guest. Null: it failed, and PVE has removed the guest. */
export async function untilMade(query: GuestQuery, found: GuestAddress): Promise<GuestConfig | null> {
  const { kind, api, signal } = query;
  const guest = addressOf(found);
  for (let idle = 0; ; ) {
    const config = await kind.calls(api).findConfig(guest, { signal });
    if (config === null || !isBeingMade(kind, config)) return config;
    idle = (await isAnyMade(query, guest.node)) ? 0 : idle + 1;
    if (idle === looksWithoutTask) return config;
    await sleep(pauseMs, undefined, { signal });
  }
}

/** Whether a task on the node makes guests: that of a clone is listed under its source. */
async function isAnyMade({ kind, api, signal }: GuestQuery, node: string): Promise<boolean> {
  const types = [kind.tasks.clone, kind.tasks.create, kind.restore.task];
  const { tasks } = await api.tasks.list(node, { source: "active" }, { signal });
  return tasks.some(({ type, endtime }) => endtime === undefined && types.includes(type));
}
