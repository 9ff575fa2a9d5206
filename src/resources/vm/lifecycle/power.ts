import { type Session, step } from "#kit";
import type { VmAddress } from "#pve";

interface Power {
  readonly api: Session;
  readonly log: Parameters<typeof step>[0];
  readonly signal: AbortSignal;
}

export async function startVm({ api, log, signal }: Power, vm: VmAddress): Promise<void> {
  const submit = () => api.power.start(vm, {}, { signal });
  await step(log, "start", { vmid: vm.vmid }, () =>
    api.operations.run(vm, { what: `start VM ${vm.vmid}`, submit, signal }),
  );
}

/** Asks the guest to leave and gives it `graceMs`; then pulls the plug. One task does both. */
export async function stopVm({ api, log, signal }: Power, vm: VmAddress, graceMs: number): Promise<void> {
  const submit = () =>
    graceMs > 0
      ? api.power.shutdown(vm, { timeout: Math.ceil(graceMs / 1000), forceStop: true }, { signal })
      : api.power.stop(vm, {}, { signal });
  await step(log, "stop", { vmid: vm.vmid, grace_ms: graceMs }, () =>
    api.operations.run(vm, { what: `stop VM ${vm.vmid}`, submit, signal }),
  );
}
