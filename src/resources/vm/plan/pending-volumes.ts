import type { Session } from "#kit";
import { driveFamilies } from "../blocks/drive-slots.ts";
import type { VmPlan, VmState } from "../contexts.ts";
import { pendingOptions } from "../lifecycle/pending.ts";

const isDrive = (option: string): boolean => Object.hasOwn(driveFamilies, option.replace(/\d+$/, ""));

/**
 * A disk that left while the VM ran shows as gone, and becomes an unused volume only when the VM is restarted: by this
 * plan, perhaps, long after whoever removed it (qemu-server: src/PVE/QemuServer.pm, `vmconfig_apply_pending`).
 */
export async function planWaitingVolumes(context: VmPlan, api: Session, prior: VmState): Promise<void> {
  const { planned } = context;
  const isRestarted = planned.restart_policy === "when_needed" || planned.status !== prior.status;
  if (!isRestarted || prior.status !== "running" || prior.vmid === undefined || prior.node === undefined) return;
  const waiting = await pendingOptions(api, { node: prior.node, vmid: prior.vmid });
  if (waiting.some(isDrive)) context.setUnknown("unused_disks");
}
