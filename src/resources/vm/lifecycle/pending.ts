import type { Session } from "#kit";
import type { VmAddress } from "#pve";

/** Options whose change waits for the next start. */
export async function pendingOptions(api: Session, vm: VmAddress, signal?: AbortSignal): Promise<string[]> {
  const options = await api.qemu.listPending(vm, { signal });
  return options
    .filter(({ pending, delete: removed }) => pending !== undefined || removed !== undefined)
    .map(({ key }) => key)
    .sort();
}
