import { type ConfigDraft, Failure, type Members, patchWired } from "#kit";
import type { GuestAddress } from "#pve";
import type { LeavingSlot } from "../../guest/changes.ts";
import { stopGrace } from "../../guest/grace.ts";
import { type PendingOptions, pendingOptions, readRunning } from "../../guest/lifecycle/pending.ts";
import { startGuest, stopGuest } from "../../guest/lifecycle/power.ts";
import { settings } from "../attributes.ts";
import type { VmUpdate } from "../contexts.ts";
import { attributesOf } from "../option-names.ts";
import { removeSlot } from "../slots.ts";
import { stopReasons } from "../stop-reasons.ts";

/** Stops the VM; returns its configuration, in which everything that waited is in effect. */
export async function stopForChange(context: VmUpdate, vm: GuestAddress): Promise<ConfigDraft> {
  await stopGuest(context, vm, stopGrace(context.desired));
  const { options } = await context.api.qemu.getConfig(vm, {}, { signal: context.signal });
  return context.api.draft(options);
}

/** Whether something is to be changed that PVE refuses to change while the VM runs. The plan has said so. */
export async function mustStop(
  context: VmUpdate,
  vm: GuestAddress,
  before: ConfigDraft,
  { leaving, changed }: { readonly leaving: readonly LeavingSlot[]; readonly changed: Members },
): Promise<boolean> {
  const { api, desired } = context;
  const after = api.draft(before.config);
  for (const { slot } of leaving) removeSlot(after, slot);
  patchWired(settings, changed, after);
  const { running } = await readRunning(context, vm);
  const [reason] = stopReasons({ running, before, after, wanted: desired });
  if (reason === undefined || desired.restart_policy === "when_needed") return reason !== undefined;
  throw new Failure(
    "The VM must be stopped for this",
    `VM ${vm.vmid} runs, and ${reason.why} while it does. It was started after the plan. Plan again.`,
    { path: reason.path },
  );
}

/** A VM that was stopped for a change runs again, whatever became of the change. */
export async function startAgain(context: VmUpdate, vm: GuestAddress): Promise<void> {
  try {
    await startGuest(context, vm);
  } catch (reason) {
    context.report.warning(
      null,
      "The VM is stopped",
      `VM ${vm.vmid} was stopped for the change, which failed, and could not be started again: ${String(reason)}`,
    );
  }
}

interface Made {
  /** The VM as its configuration says it is now. */
  readonly draft: ConfigDraft;
  /** Options the guest reads when it boots. */
  readonly unread: readonly string[];
}

/** PVE says what it could not change while the VM runs; what the guest has not read yet is known here only. */
export async function handlePending(
  context: VmUpdate,
  vm: GuestAddress,
  { draft, unread }: Made,
): Promise<PendingOptions & { isRestarted: boolean }> {
  const { desired, report } = context;
  const { pending, removed } = await pendingOptions(context, vm);
  if (pending.length + unread.length === 0) return { pending, removed, isRestarted: false };
  const names = attributesOf([...pending, ...unread], draft);
  if (desired.restart_policy === "when_needed") {
    await stopGuest(context, vm, stopGrace(desired));
    await startGuest(context, vm);
    tellRestart(context, vm, names);
    return { pending: [], removed: [], isRestarted: true };
  }
  report.warning(
    "restart_policy",
    "A restart is needed",
    `These changes to VM ${vm.vmid} take effect after a restart: ${names}. Restart it (\`proxmox_vm_reboot\`), or set \`restart_policy = "when_needed"\`.`,
  );
  return { pending, removed, isRestarted: false };
}

export const tellRestart = ({ report }: Pick<VmUpdate, "report">, { vmid }: GuestAddress, names: string): void =>
  report.warning("restart_policy", "The VM was restarted", `VM ${vmid} was stopped and started for: ${names}.`);
