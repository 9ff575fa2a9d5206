import { ConfigDraft, isSlot } from "#kit";
import type { GuestAddress } from "#pve";
import { type LeavingSlot, plannedWithReleased } from "../changes.ts";
import type { GuestPlan, GuestState } from "../context.ts";
import { describeGrace, stopGrace } from "../grace.ts";
import { isUp } from "../is-up.ts";
import type { GuestKind, LiveChange, StopReason } from "../kind.ts";
import type { RunningGuest } from "../lifecycle/pending.ts";
import { isSameLine } from "../same-line.ts";

/** A change of an existing guest, with its configuration before and after; pending changes count as done. */
interface Change {
  readonly guest: GuestAddress;
  readonly prior: GuestState;
  /** As it runs now. */
  readonly seen: RunningGuest;
  readonly before: ConfigDraft;
  readonly after: ConfigDraft;
  readonly leaving: readonly LeavingSlot[];
}

/** Shows the effect on a running guest: what takes effect at once, what stays pending, whether it restarts, and why. */
export function planPower(context: GuestPlan, change: Change): void {
  const { prior, guest, seen, before, after, leaving } = change;
  const { kind, planned } = context;
  const wasUp = isUp(prior);
  const isUpAfter = planned.status === "running";
  const isMoved = isRestartedByMove(context, change);
  const staysUp = wasUp && isUpAfter ? asChanged(context, change) : null;
  const reasons = staysUp
    ? kind.stopReasons({ kind, ...staysUp, before, after, leaving, wanted: plannedWithReleased(context) })
    : [];
  const pending = staysUp ? pendingAfter(kind, staysUp, after, leaving) : [];
  const unread = staysUp ? kind.unreadOptions(context, after) : [];
  const isNeeded = reasons.length + pending.length + unread.length > 0;
  const isRestarted = isNeeded && planned.restart_policy === "when_needed";
  if (planned.restart_policy === undefined && isNeeded) context.setUnknown("pending");
  else context.set("pending", isRestarted ? [] : pending);
  const isAtRest = !wasUp || !isUpAfter || isRestarted;
  const isSetAside =
    isAtRest || isMoved
      ? seen.pending.some((option) => isSlot(option, kind.families.volumes))
      : seen.exchanged.some((slot) => leaving.some((one) => one.slot === slot)) || isDisplaced(kind, seen, after);
  if (isSetAside) context.setUnknown("unused_disks");
  const isStarted = (!wasUp && isUpAfter) || isRestarted || planned.restart_policy === undefined;
  kind.planAddresses(context, after, { isUp: isUpAfter, isStarted });
  const names = (options: readonly string[]) => kind.attributesOf(options, after, seen.running);
  if (wasUp && !isUpAfter) announceStop(context, guest);
  else if (isRestarted) announceRestart(context, guest, { reasons, names: names([...pending, ...unread]) });
  else if (planned.restart_policy !== undefined) {
    refuse(context, guest, reasons);
    announcePending(context, guest, { pending: names(pending), unread: names(unread) });
  }
}

/** Whether a volume that was to leave with the next restart makes way for another one at once. */
const isDisplaced = (kind: GuestKind, { running, removed, exchanged }: RunningGuest, after: ConfigDraft): boolean =>
  [...removed, ...exchanged].some(
    (slot) =>
      isSlot(slot, kind.families.volumes) &&
      slot in after.patch.set &&
      running.has(slot) &&
      kind.volumeAt(running, slot) !== kind.volumeAt(after, slot) &&
      kind.takesEffectLive(slot, { running, after }),
  );

/** Options whose change waits for a restart that this run does not do. */
export function waitingOptions(context: GuestPlan, change: Change): string[] {
  const { kind, planned } = context;
  const { prior, after, leaving } = change;
  const isRestarted = planned.restart_policy === undefined || planned.restart_policy === "when_needed";
  const staysUp = isUp(prior) && planned.status === "running" && !isRestarted;
  return staysUp ? pendingAfter(kind, asChanged(context, change), after, leaving) : [];
}

/** A container is stopped for its move and started on the other node, before anything else changes. */
const isRestartedByMove = ({ kind, planned }: GuestPlan, { prior }: Change): boolean =>
  !kind.movesLive && isUp(prior) && planned.node !== undefined && planned.node !== prior.node;

/** The guest that the changes find: a restart has put into effect what was pending. */
const asChanged = (context: GuestPlan, change: Change): RunningGuest =>
  isRestartedByMove(context, change)
    ? { running: change.before, pending: [], removed: [], exchanged: [] }
    : change.seen;

/** PVE applies the options of a call where it can, and leaves alone what was pending before. */
function pendingAfter(
  kind: GuestKind,
  { running, pending }: RunningGuest,
  after: ConfigDraft,
  leaving: readonly LeavingSlot[],
): string[] {
  const { set, delete: removed } = after.patch;
  const touched = new Set([...Object.keys(set), ...removed]);
  const differs = (option: string) => !isUnchanged(kind, option, { running, after });
  const isLive = (option: string) => kind.takesEffectLive(option, { running, after });
  // Slots that are deleted with their data have a call of their own, after the others: hotplug may be another by then.
  const isLater = (option: string) => leaving.some(({ slot, isDeleted }) => slot === option && isDeleted);
  const changed = new ConfigDraft(running.config, running.codecs);
  for (const option of touched) if (!isLater(option) && isLive(option)) changed.set(option, after.raw(option));
  const isLiveThen = (option: string) =>
    isLater(option) ? kind.takesEffectLive(option, { running: changed, after }) : isLive(option);
  const isPending = (option: string) => (touched.has(option) ? differs(option) && !isLiveThen(option) : true);
  return [...new Set([...touched, ...pending])].filter(isPending).sort();
}

/** PVE prints the lines of volumes and cards anew, and adds the size of a volume that it attaches. */
function isUnchanged({ families }: GuestKind, option: string, { running, after }: LiveChange): boolean {
  const [now, then] = [running, after].map((draft) => String(draft.raw(option) ?? "")) as [string, string];
  if (!isSlot(option, { ...families.volumes, ...families.networks })) return now === then;
  return isSameLine(/,size=/.test(then) ? now : now.replace(/(^|,)size=[^,]*/, ""), then);
}

function refuse({ kind, report }: GuestPlan, { vmid }: GuestAddress, reasons: readonly StopReason[]): void {
  for (const { path, why } of reasons) {
    report.error(
      path,
      `The ${kind.noun} must be stopped for this`,
      `${kind.title} ${vmid} runs, and ${why} while it does. Set \`restart_policy = "when_needed"\` to have the ${kind.noun} stopped and started for it, or \`power = "stopped"\`, or take the change back.`,
    );
  }
}

function announceRestart(
  { kind, report, planned }: GuestPlan,
  { vmid }: GuestAddress,
  { reasons, names }: { readonly reasons: readonly StopReason[]; readonly names: string },
): void {
  const causes = [
    ...(names === "" ? [] : [`changes take effect only after a restart (${names})`]),
    ...reasons.map(({ why }) => `${why} while the ${kind.noun} runs`),
  ];
  report.warning(
    "restart_policy",
    `The ${kind.noun} will be restarted`,
    `${kind.title} ${vmid} is stopped and started, because \`restart_policy = "when_needed"\` and ${causes.join("; ")}. The guest ${describeGrace(stopGrace(planned))}.`,
  );
}

function announcePending(
  { kind, report }: GuestPlan,
  { vmid }: GuestAddress,
  { pending, unread }: { readonly pending: string; readonly unread: string },
): void {
  if (pending === "" && unread === "") return;
  const stored =
    pending === ""
      ? ""
      : `${kind.title} ${vmid} keeps running with its old settings until it is restarted: ${pending}. `;
  const read =
    unread === "" ? "" : `The guest of ${kind.noun} ${vmid} reads cloud-init's settings when it boots: ${unread}. `;
  report.warning(
    "restart_policy",
    "A restart will be needed",
    `${stored}${read}Restart it after the apply, or set \`restart_policy = "when_needed"\`.`,
  );
}

/** The HA manager stops a guest by its HA state, and knows nothing of `shutdown` (pve-ha-manager: src/PVE/HA/Resources). */
function announceStop({ kind, report, planned }: GuestPlan, { vmid }: GuestAddress): void {
  const isOwn = planned.power === "stopped";
  const how = isOwn
    ? `\`power = "stopped"\`. The guest ${describeGrace(stopGrace(planned))}.`
    : "its HA state has the HA manager stop it. That asks the guest to shut down, with a time limit of its own: `shutdown` has no effect on it.";
  report.warning(isOwn ? "power" : "ha.state", `The ${kind.noun} will be stopped`, `${kind.title} ${vmid}: ${how}`);
}
