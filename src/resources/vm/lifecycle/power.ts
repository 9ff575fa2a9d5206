import { type Logger, type Session, step } from "#kit";
import type { VmAddress } from "#pve";
import { untilCarriedOut } from "./ha.ts";

interface Power {
  readonly api: Session;
  readonly log: Logger;
  readonly signal: AbortSignal;
}

export async function startVm(context: Power, vm: VmAddress): Promise<void> {
  const { api, log, signal } = context;
  const submit = () => api.power.start(vm, {}, { signal });
  await step(log, "start", { vmid: vm.vmid }, async () => {
    const task = await api.operations.run(vm, { what: `start VM ${vm.vmid}`, submit, signal });
    await untilCarriedOut(context, vm, task, () => isIn(context, vm, "running"));
  });
}

/** Asks the guest to leave and gives it `graceMs`; then pulls the plug. One task does both. */
export async function stopVm(context: Power, vm: VmAddress, graceMs: number): Promise<void> {
  const { api, log, signal } = context;
  const submit = () =>
    graceMs > 0
      ? api.power.shutdown(vm, { timeout: Math.ceil(graceMs / 1000), forceStop: true }, { signal })
      : api.power.stop(vm, {}, { signal });
  await step(log, "stop", { vmid: vm.vmid, grace_ms: graceMs }, async () => {
    const task = await api.operations.run(vm, { what: `stop VM ${vm.vmid}`, submit, signal });
    await untilCarriedOut(context, vm, task, () => isIn(context, vm, "stopped"));
  });
}

export const isIn = async (
  { api, signal }: Pick<Power, "api" | "signal">,
  vm: VmAddress,
  status: string,
): Promise<boolean> => (await api.qemu.getStatus(vm, { signal })).status === status;
