import { Failure, isPveError, type Session } from "#kit";
import type { GuestConfig, InventoryGuest } from "#pve";
import { addressOf } from "./address.ts";

/** A VM, where it is and what it is. */
export interface FoundVm extends InventoryGuest {
  readonly config: GuestConfig;
}

/** A VM whose node is offline. */
export interface OfflineVm extends InventoryGuest {
  readonly config: null;
}

/** Looks a VM up: one shared look at the cluster, one configuration. Null: there is no such VM. */
export async function findVm(api: Session, vmid: number, signal?: AbortSignal): Promise<FoundVm | OfflineVm | null> {
  const seen = await api.inventory.find("qemu", vmid);
  if (seen === null) return proveAbsence(api, vmid, signal);
  const { isOnline } = await api.inventory.snapshot();
  if (!isOnline(seen.node)) return { ...seen, config: null };
  const config = await api.qemu.findConfig(addressOf(seen), { signal });
  if (config !== null) return { ...seen, config };
  // It was there a moment ago: it has moved since, or it is gone.
  api.inventory.forget();
  const moved = await api.inventory.find("qemu", vmid);
  const there = moved && (await api.qemu.findConfig(addressOf(moved), { signal }));
  return moved && there ? { ...moved, config: there } : null;
}

/** PVE hides what the caller may not see; asking for the id as if it were free tells whether it is taken. */
async function proveAbsence(api: Session, vmid: number, signal?: AbortSignal): Promise<null> {
  await api.cluster.checkId(vmid, { signal }).catch(async (reason: unknown) => {
    if (!isPveError(reason, "exists")) throw reason;
    const guest = await api.inventory.locate(vmid);
    if (guest?.type === "lxc") return;
    throw new Failure(
      `VM ${vmid} cannot be seen`,
      "It exists, but Proxmox VE does not show it. Grant VM.Audit on it, or on `/vms`, to the user and to the token.",
      { cause: reason },
    );
  });
  return null;
}
