import type { Session } from "#kit";
import type { InventoryGuest } from "#pve";
import { addressOf } from "../../guest/address.ts";
import { creationOf } from "./creation.ts";

/**
 * The one that was created last; of several of one moment, as clones of one source are, the one with the highest VMID.
 * Only a VM's configuration tells when it was created, so one is read for each, unless there is no choice. Those on
 * nodes that do not answer are no choice.
 */
export async function newestOf(
  api: Session,
  vms: readonly InventoryGuest[],
  signal: AbortSignal,
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
