import { isPveError, type Logger, type Session, step } from "#kit";
import type { TaskResult, VmAddress } from "#pve";
import { untilCarriedOut } from "./ha.ts";

interface Power {
  readonly api: Session;
  readonly log: Logger;
  readonly signal: AbortSignal;
}

export async function startVm(context: Power, vm: VmAddress): Promise<void> {
  const { api, log, signal } = context;
  const submit = () => api.power.start(vm, {}, { signal });
  await step(log, "start", { vmid: vm.vmid }, () =>
    reach(context, vm, "running", () => api.operations.run(vm, { what: `start VM ${vm.vmid}`, submit, signal })),
  );
}

/** Asks the guest to leave and gives it `graceMs`; then pulls the plug. One task does both. */
export async function stopVm(context: Power, vm: VmAddress, graceMs: number): Promise<void> {
  const { api, log, signal } = context;
  const submit = () =>
    graceMs > 0
      ? api.power.shutdown(vm, { timeout: Math.ceil(graceMs / 1000), forceStop: true }, { signal })
      : api.power.stop(vm, {}, { signal });
  await step(log, "stop", { vmid: vm.vmid, grace_ms: graceMs }, () =>
    reach(context, vm, "stopped", () => api.operations.run(vm, { what: `stop VM ${vm.vmid}`, submit, signal })),
  );
}

/** PVE refuses to start what runs and to stop what does not; somebody else may have done it this moment. */
async function reach(context: Power, vm: VmAddress, status: string, act: () => Promise<TaskResult>): Promise<void> {
  try {
    await untilCarriedOut(context, vm, await act(), () => isIn(context, vm, status));
  } catch (reason) {
    if (!isPveError(reason, "conflict") || !(await isIn(context, vm, status))) throw reason;
  }
}

export const isIn = async (
  { api, signal }: Pick<Power, "api" | "signal">,
  vm: VmAddress,
  status: string,
): Promise<boolean> => (await api.qemu.getStatus(vm, { signal })).status === status;
