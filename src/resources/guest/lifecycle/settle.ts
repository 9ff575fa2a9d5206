import { attachmentsOf, type ConfigDraft, CreateNotes, type Members, patchWired, step } from "#kit";
import type { GuestAddress } from "#pve";
import type { GuestSettle } from "../context.ts";
import { stopGrace } from "../grace.ts";
import { isStartedNew } from "../ha-options.ts";
import { markOf, withMark, withoutMark } from "../mark.ts";
import { runOf } from "../run.ts";
import { settleAdopted } from "./adopt.ts";
import { finishCreate } from "./finish.ts";
import { arrangeHa } from "./ha.ts";
import { migrateGuest } from "./migrate.ts";
import { pendingOptions } from "./pending.ts";
import { startGuest, stopGuest } from "./power.ts";
import { type Progress, withProgress } from "./progress.ts";
import { withholdProtection } from "./protection.ts";
import { rememberConfigured } from "./remember.ts";
import { resumedState } from "./resumed.ts";
import { makeTemplate } from "./template.ts";
import { arrangeVolumes } from "./volumes.ts";

/** Completes a new guest: settings, volumes, node and finally power. A failure leaves a tainted guest. */
export async function settleGuest(context: GuestSettle): Promise<void> {
  const { api, id, handover } = context;
  try {
    await (handover.isAdopted
      ? settleAdopted(context)
      : withProgress(context, (progress) => complete(context, progress)));
  } finally {
    new CreateNotes(api).end(id.vmid);
  }
}

async function complete(context: GuestSettle, progress: Progress): Promise<void> {
  const { kind, api, id, desired, privateState, handover: made, log } = context;
  let guest: GuestAddress = { node: made.node, vmid: id.vmid };
  const resumed = await resumedState(context, guest);
  const { draft, isProtected } = await step(log, "config", { vmid: id.vmid }, () =>
    configureNew(context, guest, resumed.isRunning),
  );
  await attachmentsOf(api).changed(id.vmid);
  privateState.fingerprint = kind.fingerprint(draft.config);
  rememberConfigured(context);
  progress.add("configured");
  let current = await kind.afterConfigure(context, guest, draft);
  await arrangeVolumes(context, guest, current);
  progress.add("disks moved and grown as configured", ((desired as Members)[kind.volumeMap] ?? null) !== null);
  if (desired.node !== undefined && desired.node !== guest.node) {
    current = await kind.beforeMigrate(context, guest, current);
    guest = await migrateGuest(context, guest, { target: desired.node });
    progress.add(`migrated to ${guest.node}`);
  }
  await kind.afterPlacement(context, guest, { draft: current, isRunning: resumed.isRunning, isFresh: made.isFresh });
  if (desired.template && !made.config.isTemplate) await makeTemplate(context, guest);
  await arrangeHa(context, guest, resumed.ha);
  const isRunning = await bringUp(context, guest, resumed.isRunning);
  progress.add("started", isRunning);
  const addresses = isRunning ? await kind.awaitAddresses(context, guest, current) : null;
  runOf(api).readHints.set(id.vmid, {
    node: guest.node,
    status: isRunning ? "running" : "stopped",
    pool: desired.pool ?? null,
    pending: [],
    ...(addresses && { addresses }),
  });
  await finishCreate(context, guest, current, isProtected);
}

/** Sends devices and settings in one call. The mark stays. */
async function configureNew(
  context: GuestSettle,
  guest: GuestAddress,
  isRunning: boolean,
): Promise<{ draft: ConfigDraft; isProtected: boolean }> {
  const { kind, desired, handover } = context;
  const mark = markOf(handover.config.description);
  let isProtected = false;
  const edit = (edited: ConfigDraft) => {
    const text = String(edited.raw("description") ?? "");
    edited.set("description", withoutMark(text) || null);
    patchWired(kind.settings, kind.keepPinned(desired, edited), edited);
    // One that was completed meanwhile keeps its protection.
    if (!mark) return;
    const marked = withMark(String(edited.raw("description") ?? ""), mark);
    // PVE ends the text with a line feed.
    edited.set("description", text.trimEnd() === marked ? text : marked);
    isProtected = withholdProtection(edited);
  };
  const draft = await kind.configureNew(context, guest, { isRunning, edit });
  return { draft, isProtected };
}

/** A guest that an interrupted run has already started is restarted only if changes are pending. */
async function bringUp(context: GuestSettle, guest: GuestAddress, isRunning: boolean): Promise<boolean> {
  const { desired } = context;
  const isWanted = !desired.template && isStartedNew(desired.power, desired);
  const isStale = isRunning && (!isWanted || (await pendingOptions(context, guest)).pending.length > 0);
  if (isStale) await stopGuest(context, guest, stopGrace(desired));
  if (isWanted && (!isRunning || isStale)) await startGuest(context, guest);
  return isWanted;
}
