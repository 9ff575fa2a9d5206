import { type Logger, type Session, step } from "#kit";
import type { VmAddress } from "#pve";
import { untilCarriedOut } from "./ha.ts";

/** Moves a VM to another node, live if it runs, with whatever it has on local storages. */
export async function migrateVm(
  { api, log, signal }: { api: Session; log: Logger; signal: AbortSignal },
  vm: VmAddress,
  target: string,
  { isRunning, storage }: { isRunning: boolean; storage?: string | null | undefined },
): Promise<VmAddress> {
  const request = {
    target,
    "with-local-disks": true,
    ...(isRunning && { online: true }),
    ...(storage && { targetstorage: storage }),
  };
  const submit = () => api.migration.migrate(vm, request, { signal });
  await step(log, "migrate", { vmid: vm.vmid, detail: `from ${vm.node} to ${target}` }, () =>
    api.operations
      .run(vm, { what: `migrate VM ${vm.vmid} to ${target}`, submit, signal })
      .then((task) => untilCarriedOut({ api, signal }, vm, task, async () => isOn(api, vm.vmid, target))),
  );
  api.inventory.forget();
  return { ...vm, node: target };
}

const isOn = async (api: Session, vmid: number, node: string): Promise<boolean> =>
  (await api.inventory.locate(vmid))?.node === node;
