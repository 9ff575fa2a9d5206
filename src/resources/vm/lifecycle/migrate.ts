import { type Session, step } from "#kit";
import type { VmAddress } from "#pve";

/** Moves a VM to another node, live if it runs, with whatever it has on local storages. */
export async function migrateVm(
  { api, log, signal }: { api: Session; log: Parameters<typeof step>[0]; signal: AbortSignal },
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
  await step(log, "migrate", { vmid: vm.vmid, from: vm.node, to: target }, () =>
    api.operations.run(vm, { what: `migrate VM ${vm.vmid} to ${target}`, submit, signal }),
  );
  api.inventory.forget();
  return { ...vm, node: target };
}
