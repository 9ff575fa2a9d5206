import { type ConfigDraft, type Members, step } from "#kit";
import type { GuestAddress, PendingOption } from "#pve";
import { changedOnly, type LeavingSlot } from "../../guest/changes.ts";
import { configure, sendPatch } from "../../guest/lifecycle/configure.ts";
import { noteLeaving } from "../../guest/lifecycle/detached.ts";
import { configOf, pendingOf } from "../../guest/lifecycle/known.ts";
import { arrangeVolumes, isToAttach } from "../../guest/lifecycle/volumes.ts";
import { applyWaiting, takeBackRemovals, takeBackWaiting } from "../../guest/lifecycle/waiting-volumes.ts";
import { forgetOptions, patchSettings } from "../../guest/removed-options.ts";
import { isSameLine } from "../../guest/same-line.ts";
import type { ContainerUpdate } from "../contexts.ts";
import { takeBackRequests } from "../requests.ts";
import { families, isHostPath, isMountSlot, volumeAt } from "../slots.ts";

interface Starting {
  readonly before: ConfigDraft;
  readonly leaving: readonly LeavingSlot[];
  readonly removed: readonly string[];
  readonly isRunning: boolean;
}

/** Changes the settings and mounts of a container. Returns its configuration after that. */
export async function changeContainer(
  context: ContainerUpdate,
  container: GuestAddress,
  { before: found, leaving, removed, isRunning }: Starting,
) {
  const { kind, api, desired, privateState, log } = context;
  await takeBackRequests(context, container, await configOf(context, container));
  const returned = isRunning ? await takeBackRemovals(context, container) : [];
  const before = returned.length === 0 ? found : kind.draft(api, (await configOf(context, container)).options);
  const doomed = volumesToDelete(before, leaving);
  // A line that waits is applied by the next start, also of a container that was stopped for this change.
  const reverted = await takeBackWaiting(context, container, before);
  if (!isRunning) await applyWaiting(context, container, before);
  await arrangeVolumes(context, container, before);
  const running = isRunning ? await pendingOf(context, container) : [];
  await step(log, "config", { vmid: container.vmid }, () =>
    configure(context, container, null, (draft) => {
      forgetOptions(draft, removed);
      for (const { slot } of leaving) draft.set(slot, null);
      const changed = changedSettings(context, reverted);
      patchSettings(kind, draft, { changed, wanted: desired as Members, removed });
      asTheyRun(draft, running);
    }),
  );
  await deleteVolumes(context, container, doomed);
  // What is pending then is asked for in any case, and includes the configuration.
  if (isRunning) await pendingOf(context, container);
  const { options } = await configOf(context, container);
  let draft = kind.draft(api, options);
  privateState.fingerprint = kind.fingerprint(draft.config);
  noteLeaving(kind, privateState, { vmid: container.vmid, leaving, before, now: draft });
  if (hasAttached(context, before)) {
    await arrangeVolumes(context, container, draft);
    draft = kind.draft(api, (await configOf(context, container)).options);
  }
  return { draft, unread: [] };
}

/**
 * PVE compares lines as texts, and keeps one pending that says the same in another order (pve-container:
 * src/PVE/LXC/Config.pm, `cleanup_pending`): such a line of a slot that changes is written as the container runs with it.
 */
function asTheyRun(draft: ConfigDraft, running: readonly PendingOption[]): void {
  const touched = draft.patch.set;
  for (const { key, value } of running) {
    const isTouched = isMountSlot(key) && key in touched && value !== undefined;
    if (isTouched && isSameLine(String(draft.raw(key)), String(value))) draft.set(key, value);
  }
}

/** The size of a volume that was just attached is known only now. */
const hasAttached = ({ kind, desired }: ContainerUpdate, before: ConfigDraft): boolean =>
  Object.entries(desired.mounts ?? {}).some(
    ([slot, { volume, size }]) => volume && size && isToAttach(kind, before, { slot, volume }),
  );

/** `reverted`: slots whose settings have to be sent in full. */
export function changedSettings({ kind, prior, desired }: ContainerUpdate, reverted: readonly string[]): Members {
  const changed = changedOnly(kind.attributes, prior as Members, desired as Members);
  if (reverted.length === 0) return changed;
  const whole = Object.fromEntries(reverted.map((slot) => [slot, desired.mounts?.[slot]]));
  return { ...changed, mounts: { ...(changed["mounts"] as object), ...whole } };
}

/** Volumes whose slots leave, and that go with their data. Paths of the host are never touched. */
const volumesToDelete = (before: ConfigDraft, leaving: readonly LeavingSlot[]): string[] =>
  leaving
    .filter(({ slot, isDeleted }) => isDeleted && isMountSlot(slot) && before.has(slot))
    .map(({ slot }) => volumeAt(before, slot))
    .filter((volume) => !isHostPath(volume));

/** PVE keeps a removed volume as an unused one, which is deleted by another call. */
async function deleteVolumes(
  context: ContainerUpdate,
  container: GuestAddress,
  volumes: readonly string[],
): Promise<void> {
  const { kind, api } = context;
  if (volumes.length === 0) return;
  const draft = kind.draft(api, (await configOf(context, container)).options);
  const unused = draft.slots(families.unused).filter((slot) => volumes.includes(volumeAt(draft, slot)));
  await sendPatch(context, container, { set: {}, delete: unused });
}
