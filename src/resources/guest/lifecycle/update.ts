import { attachmentsOf, awaitReferrals, type ConfigDraft, commitStaged, Failure, type Members } from "#kit";
import type { GuestAddress } from "#pve";
import { type LeavingSlot, leavingSlots, withReleased } from "../changes.ts";
import type { GuestUpdate } from "../context.ts";
import { statusUnderHa } from "../ha-options.ts";
import { isAnotherGuest } from "../identity.ts";
import { forgetOptions, shownRemovals } from "../removed-options.ts";
import { runOf } from "../run.ts";
import { awaitVolumes } from "./await-volumes.ts";
import { pruneSnapshots, snapshotBefore } from "./before-change.ts";
import { type FoundGuest, findGuestToChange } from "./find.ts";
import { finishCreate } from "./finish.ts";
import { arrangeHa, untilObeyed } from "./ha.ts";
import { configOf } from "./known.ts";
import { changePool } from "./pool.ts";
import { isIn, resumeGuest, startGuest } from "./power.ts";
import { powerWanted } from "./progress.ts";
import { endProtection, protect, protectLast } from "./protection.ts";
import { rememberConfigured } from "./remember.ts";
import { handlePending, migrateAsWanted, mustStop, reportRestart, startAgain, stopForChange } from "./restart.ts";
import { makeTemplate } from "./template.ts";
import { giveUpVolumes } from "./trade-volumes.ts";

/** Changes a guest in place, running or not. */
export async function updateGuest(context: GuestUpdate): Promise<void> {
  try {
    await update(context);
  } catch (reason) {
    // What it has left is read next, and it may be stopped.
    context.api.inventory.forget();
    throw reason;
  }
}

async function update(given: GuestUpdate): Promise<void> {
  const { kind, api, id, prior, changes } = given;
  const { removed: leaving, released } = leavingSlots(given, prior, given.desired);
  const desired = withReleased(given.desired, released);
  const context = { ...given, desired };
  await commitStaged(api, given.signal);
  const { attributes } = kind;
  await awaitReferrals(api, { attributes, desired: desired as Members, prior: prior as Members, signal: given.signal });
  const found = await findOwn(context);
  let guest: GuestAddress = { node: found.node, vmid: id.vmid };
  const removed = await shownRemovals(context, guest, found.config);
  const isKept = await snapshotBefore(context, guest);
  let before = kind.draft(api, found.config.options);
  forgetOptions(before, removed);
  let isRunning = found.status === "running";
  if (isRunning) given.privateState.isToStart = true;
  // First, since changes to a stopped guest take effect at once.
  if (isRunning && desired.power === "stopped") {
    before = await stopForChange(context, guest);
    isRunning = false;
  }
  if (changes.has("node") && desired.node !== undefined && desired.node !== guest.node) {
    before = await kind.beforeMigrate(context, guest, before);
    guest = await migrateAsWanted(context, guest, desired.node);
    // A container is started again by another task, or by the HA manager, after the migration has ended.
    if (isRunning && !(await isIn(context, guest, "running"))) await startGuest(context, guest);
  }
  const isStopped = isRunning && (await mustStop(context, guest, { before, leaving, removed }));
  if (isStopped) before = await stopForChange(context, guest);
  const changing = change(context, guest, { before, leaving, removed, isRunning: isRunning && !isStopped });
  const changed = await changing.catch(async (reason: unknown) => {
    if (isStopped) await startAgain(context, guest);
    throw reason;
  });
  if (changes.has("ha")) {
    await arrangeHa(context, guest, prior.ha);
    isRunning = await untilObeyed(context, guest, isRunning && !isStopped);
  }
  await finishUpdate(context, guest, { ...changed, isStopped, isRunning, was: found.status });
  if (isKept) await pruneSnapshots(context, guest);
}

async function findOwn(context: GuestUpdate): Promise<FoundGuest> {
  const { kind, id, privateState } = context;
  const found = await findGuestToChange(context, id.vmid);
  if (found === null || found.config === null) {
    throw new Failure(
      `${kind.title} cannot be reached`,
      `${kind.title} ${id.vmid} is gone, or its node does not answer.`,
    );
  }
  const seen = kind.fingerprint(found.config.options);
  if (isAnotherGuest({ kind, vmid: id.vmid, known: privateState.fingerprint, seen })) {
    throw new Failure(
      `VMID ${id.vmid} is another ${kind.noun} now`,
      `"${found.config.name ?? `${kind.title} ${id.vmid}`}" was not created here and is left alone.`,
    );
  }
  return found;
}

interface Starting {
  readonly before: ConfigDraft;
  readonly leaving: readonly LeavingSlot[];
  /** Options that PVE shows although the next start removes them. */
  readonly removed: readonly string[];
  readonly isRunning: boolean;
}

/** Settings, volumes, pool and template; not the power. */
async function change(given: GuestUpdate, guest: GuestAddress, starting: Starting) {
  const { kind, api, desired, changes } = given;
  const { context, before } = await giveUpVolumes(given, guest, starting);
  await awaitVolumes(context, guest.vmid, before);
  await endProtection(context, guest, before);
  const { isLast, first } = protectLast(context, before, starting.leaving.length > 0);
  const changed = await kind.change(first, guest, { ...starting, before });
  if (isLast) await protect(context, guest);
  await attachmentsOf(api).changed(guest.vmid);
  attachmentsOf(api).unclaim(guest.vmid);
  if (changes.has("pool")) await api.departures.during(() => changePool(context));
  if (changes.has("template") && desired.template) await makeTemplate(context, guest);
  return changed;
}

interface Changed {
  readonly draft: ConfigDraft;
  readonly unread: readonly string[];
  /** Whether it was stopped for the change. */
  readonly isStopped: boolean;
  /** Whether it runs, or did until it was stopped for the change. */
  readonly isRunning: boolean;
  readonly was: string;
}

/** Power, and the changes that wait for it. */
async function finishUpdate(context: GuestUpdate, guest: GuestAddress, changed: Changed): Promise<void> {
  const { kind, api, desired, id, privateState } = context;
  const { draft, isStopped, isRunning, was } = changed;
  const isWanted = powerWanted(desired.power, privateState) === "running";
  const isHeldDown = statusUnderHa(desired) === "stopped";
  const isStarted = !isHeldDown && (isStopped || (isWanted && !isRunning && !desired.template));
  if (isStarted) await startGuest(context, guest);
  else if (isWanted && isRunning && context.prior.status === "paused") await resumeGuest(context, guest);
  if (isStarted && isStopped) reportRestart(context, guest, "what cannot be changed while it runs");
  const isUp = isStarted || isRunning;
  const none = { pending: [], removed: [], isRestarted: false };
  const { pending, removed, isRestarted } = isStarted
    ? none
    : isUp
      ? await handlePending(context, guest, changed)
      : { ...none, removed: await shownRemovals(context, guest, await configOf(context, guest)) };
  const hasBooted = isUp && (isStarted || isRestarted || was !== "running");
  const addresses = hasBooted ? await kind.awaitAddresses(context, guest, draft) : null;
  rememberConfigured(context);
  if (privateState.mark !== null) await finishCreate(context, guest, draft, false);
  const status = isUp ? "running" : was === "running" ? "stopped" : was;
  const hint = { node: guest.node, status, pool: desired.pool || null, pending, removed };
  runOf(api).readHints.set(id.vmid, { ...hint, ...(addresses && { addresses }) });
}
