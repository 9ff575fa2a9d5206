import type { ConfigDraft, Session } from "#kit";
import type { GuestAddress } from "#pve";
import { queryOf } from "../../guest/context.ts";
import { describeGrace, stopGrace } from "../../guest/grace.ts";
import { type RunningGuest, readRunning } from "../../guest/lifecycle/pending.ts";
import type { VmPlan, VmState } from "../contexts.ts";
import { takesEffectLive } from "../live-changes.ts";
import { attributesOf } from "../option-names.ts";
import { isVolumeSlot } from "../slots.ts";
import { type StopReason, stopReasons } from "../stop-reasons.ts";
import { unreadOptions } from "../unread.ts";
import { planAddresses } from "./plan-outputs.ts";

/** A change of a VM that exists, with its configuration before and after; what waits for a restart counts as done. */
interface Change {
  readonly vm: GuestAddress;
  readonly prior: VmState;
  readonly before: ConfigDraft;
  readonly after: ConfigDraft;
}

/** Says what becomes of a VM that runs: what takes effect at once, what waits, whether it is restarted, and why. */
export async function planLife(context: VmPlan, api: Session, change: Change): Promise<void> {
  const { prior, vm, before, after } = change;
  const { planned } = context;
  const isUp = prior.status === "running";
  const isUpAfter = planned.status === "running";
  const seen = await readRunning(queryOf(context, api), vm);
  const staysUp = isUp && isUpAfter ? seen : null;
  const reasons = staysUp ? stopReasons({ running: staysUp.running, before, after, wanted: planned }) : [];
  const waiting = staysUp ? waitingOptions(staysUp, after) : [];
  const unread = staysUp ? unreadOptions(context, after) : [];
  const isNeeded = reasons.length + waiting.length + unread.length > 0;
  const isRestarted = isNeeded && planned.restart_policy === "when_needed";
  if (planned.restart_policy === undefined && isNeeded) context.setUnknown("pending");
  else context.set("pending", isRestarted ? [] : waiting);
  const isAtRest = !isUp || !isUpAfter || isRestarted;
  if (isAtRest && seen.pending.some(isVolumeSlot)) context.setUnknown("unused_disks");
  const isStarted = (!isUp && isUpAfter) || isRestarted || planned.restart_policy === undefined;
  planAddresses(context, after, { isUp: isUpAfter, isStarted });
  if (isUp && !isUpAfter) announceStop(context, vm);
  else if (isRestarted) announceRestart(context, vm, { reasons, names: attributesOf([...waiting, ...unread], after) });
  else if (planned.restart_policy !== undefined) {
    refuse(context, vm, reasons);
    announceWaiting(context, vm, { waiting: attributesOf(waiting, after), unread: attributesOf(unread, after) });
  }
}

/** PVE tries what a call touches, and leaves alone what has waited before it. */
function waitingOptions({ running, pending }: RunningGuest, after: ConfigDraft): string[] {
  const { set, delete: removed } = after.patch;
  const touched = new Set([...Object.keys(set), ...removed]);
  const differs = (option: string) => String(running.raw(option) ?? "") !== String(after.raw(option) ?? "");
  const isWaiting = (option: string) =>
    touched.has(option) ? differs(option) && !takesEffectLive(option, { running, after }) : true;
  return [...new Set([...touched, ...pending])].filter(isWaiting).sort();
}

function refuse({ report }: VmPlan, { vmid }: GuestAddress, reasons: readonly StopReason[]): void {
  for (const { path, why } of reasons) {
    report.error(
      path,
      "The VM must be stopped for this",
      `VM ${vmid} runs, and ${why} while it does. Set \`restart_policy = "when_needed"\` to have the VM stopped and started for it, or \`power = "stopped"\`, or take the change back.`,
    );
  }
}

function announceRestart(
  { report, planned }: VmPlan,
  { vmid }: GuestAddress,
  { reasons, names }: { readonly reasons: readonly StopReason[]; readonly names: string },
): void {
  const causes = [
    ...(names === "" ? [] : [`changes take effect only after a restart (${names})`]),
    ...reasons.map(({ why }) => `${why} while the VM runs`),
  ];
  report.warning(
    "restart_policy",
    "The VM will be restarted",
    `VM ${vmid} is stopped and started, because \`restart_policy = "when_needed"\` and ${causes.join("; ")}. The guest ${describeGrace(stopGrace(planned))}.`,
  );
}

function announceWaiting(
  { report }: VmPlan,
  { vmid }: GuestAddress,
  { waiting, unread }: { readonly waiting: string; readonly unread: string },
): void {
  if (waiting === "" && unread === "") return;
  const stored =
    waiting === "" ? "" : `VM ${vmid} keeps running with its old settings until it is restarted: ${waiting}. `;
  const read = unread === "" ? "" : `The guest of VM ${vmid} reads cloud-init's settings when it boots: ${unread}. `;
  report.warning(
    "restart_policy",
    "A restart will be needed",
    `${stored}${read}Restart it after the apply, or set \`restart_policy = "when_needed"\`.`,
  );
}

function announceStop({ report, planned }: VmPlan, { vmid }: GuestAddress): void {
  const cause = planned.power === "stopped" ? '`power = "stopped"`' : "HA is to stop it";
  report.warning(
    "power",
    "The VM will be stopped",
    `VM ${vmid}: ${cause}. The guest ${describeGrace(stopGrace(planned))}.`,
  );
}
