import { type ConfigDraft, Failure, type Members } from "#kit";
import type { GuestAddress } from "#pve";
import type { LeavingSlot } from "../changes.ts";
import type { GuestUpdate } from "../context.ts";
import { stopGrace } from "../grace.ts";
import { statusUnderHa } from "../ha-options.ts";
import { patchSettings } from "../removed-options.ts";
import { restartAdvice } from "../restart-advice.ts";
import { configOf } from "./known.ts";
import { migrateGuest } from "./migrate.ts";
import { type PendingOptions, pendingOptions, readRunning } from "./pending.ts";
import { startGuest, stopAfter, stopGuest } from "./power.ts";
import { mustStopToTrade } from "./trade-volumes.ts";

/** Stops the guest; returns its configuration, in which all pending changes are in effect. */
export async function stopForChange(context: GuestUpdate, guest: GuestAddress): Promise<ConfigDraft> {
  const { kind, api, desired } = context;
  await stopGuest(context, guest, stopGrace(desired));
  const { options } = await configOf(context, guest);
  return kind.draft(api, options);
}

/** PVE asks a container that it moves to shut down, and does not stop it hard: `shutdown` decides about that. */
export async function migrateAsWanted(
  context: GuestUpdate,
  guest: GuestAddress,
  target: string,
): Promise<GuestAddress> {
  const { api, desired } = context;
  const grace = stopGrace(desired);
  const migration = { target, graceSeconds: Math.max(1, Math.ceil(grace.ms / 1000)) };
  try {
    return await migrateGuest(context, guest, migration);
  } catch (reason) {
    if (!api.isShutdownTimeout(reason)) throw reason;
    await stopAfter(context, guest, grace, reason);
  }
  return migrateGuest(context, guest, migration).catch(async (reason: unknown) => {
    await startAgain(context, guest);
    throw reason;
  });
}

interface Change {
  readonly before: ConfigDraft;
  readonly leaving: readonly LeavingSlot[];
  readonly removed: readonly string[];
}

/** Whether PVE refuses one of the changes while the guest runs. The plan has announced it. */
export async function mustStop(
  context: GuestUpdate,
  guest: GuestAddress,
  { before, leaving, removed }: Change,
): Promise<boolean> {
  const { kind, api, desired } = context;
  const after = kind.draft(api, before.config);
  for (const { slot } of leaving) kind.removeSlot(after, slot);
  patchSettings(kind, after, { changed: kind.changedSettings(context), wanted: desired as Members, removed });
  const { running, exchanged } = await readRunning(context, guest);
  if (await mustStopToTrade(context, guest.vmid, { before, leaving }, { running, after })) return true;
  const [reason] = kind.stopReasons({ kind, running, exchanged, before, after, leaving, wanted: desired });
  if (reason === undefined) return false;
  // HA is to stop it anyway.
  if (desired.restart_policy === "when_needed" || statusUnderHa(desired) === "stopped") return true;
  throw new Failure(
    `The ${kind.noun} must be stopped for this`,
    `${kind.title} ${guest.vmid} runs, and ${reason.why} while it does. It was started after the plan. Plan again.`,
    { path: reason.path },
  );
}

/** A guest that was stopped for a change is started again even if the change fails. */
export async function startAgain(context: GuestUpdate, guest: GuestAddress): Promise<void> {
  const { kind, report } = context;
  try {
    await startGuest(context, guest);
  } catch (reason) {
    report.warning(
      null,
      `The ${kind.noun} is stopped`,
      `${kind.title} ${guest.vmid} was stopped for the change, which failed, and could not be started again: ${String(reason)}`,
    );
  }
}

interface Changed {
  /** The guest's present configuration. */
  readonly draft: ConfigDraft;
  /** Options that the guest reads when it boots. */
  readonly unread: readonly string[];
}

/** PVE lists the changes that are pending. Those that the guest has not read yet are known only here. */
export async function handlePending(
  context: GuestUpdate,
  guest: GuestAddress,
  { draft, unread }: Changed,
): Promise<PendingOptions & { isRestarted: boolean }> {
  const { kind, desired, report } = context;
  const { running, pending, removed } = await pendingOptions(context, guest);
  if (pending.length + unread.length === 0) return { pending, removed, isRestarted: false };
  const names = kind.attributesOf([...pending, ...unread], draft, running);
  if (desired.restart_policy === "when_needed") {
    await stopGuest(context, guest, stopGrace(desired));
    await startGuest(context, guest);
    reportRestart(context, guest, names);
    return { pending: [], removed: [], isRestarted: true };
  }
  report.warning(
    "restart_policy",
    "A restart is needed",
    `These changes to ${kind.noun} ${guest.vmid} take effect after a restart: ${names}. ${restartAdvice(kind)}`,
  );
  return { pending, removed, isRestarted: false };
}

export const reportRestart = (
  { kind, report }: Pick<GuestUpdate, "kind" | "report">,
  { vmid }: GuestAddress,
  names: string,
): void =>
  report.warning(
    "restart_policy",
    `The ${kind.noun} was restarted`,
    `${kind.title} ${vmid} was stopped and started for: ${names}.`,
  );
