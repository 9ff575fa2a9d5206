import type { Session } from "#kit";
import type { InventoryGuest } from "#pve";
import { addressOf } from "../../guest/address.ts";
import { creationOf } from "./creation.ts";

/**
 * The VM that was created last; of several with the same time, as clones of one source have, the one with the highest VMID.
 * The time is in the configuration only, so each one is read, unless there is only one VM. VMs on nodes that do not answer
 * are left out.
 */
export async function newestOf(
  api: Session,
  signal: AbortSignal,
  vms: readonly InventoryGuest[],
): Promise<InventoryGuest[]> {
  const readable = vms.filter(({ isStale }) => !isStale);
  if (readable.length < 2) return readable;
  const dated = await Promise.all(
    readable.map(async (vm) => {
      const config = await api.qemu.findConfig(addressOf(vm), { signal });
      return { vm, created: (config && creationOf(config.options)) ?? 0 };
    }),
  );
  return dated
    .sort((a, b) => b.created - a.created || b.vm.vmid - a.vm.vmid)
    .slice(0, 1)
    .map(({ vm }) => vm);
}
