import { Failure, isPveError } from "#kit";
import type { GuestAddress, GuestConfig, InventoryGuest } from "#pve";
import { addressOf } from "../address.ts";
import type { GuestBase } from "../base.ts";
import type { GuestQuery } from "../context.ts";
import { configToChange } from "./known.ts";

/** A guest with its place and its configuration. */
export interface FoundGuest extends InventoryGuest {
  readonly config: GuestConfig;
}

/** A guest whose node is offline. */
export interface OfflineGuest extends InventoryGuest {
  readonly config: null;
}

interface Query extends Omit<GuestQuery, "kind"> {
  readonly kind: GuestBase;
}

type ReadConfig = (guest: GuestAddress) => Promise<GuestConfig | null>;

/** Looks a guest up: one shared snapshot of the cluster, one configuration. Null: it does not exist. */
export async function findGuest(
  query: Query,
  vmid: number,
  read: ReadConfig = (guest) => query.kind.calls(query.api).findConfig(guest, { signal: query.signal }),
): Promise<FoundGuest | OfflineGuest | null> {
  const { kind, api } = query;
  const seen = await api.inventory.find(kind.type, vmid);
  if (seen === null) return proveAbsence(query, vmid);
  const { isOnline } = await api.inventory.snapshot();
  if (!isOnline(seen.node)) return { ...seen, config: null };
  const config = await read(addressOf(seen));
  if (config !== null) return { ...seen, config };
  // It existed a moment ago: it was moved or removed since.
  api.inventory.forget();
  const moved = await api.inventory.find(kind.type, vmid);
  const there = moved && (await read(addressOf(moved)));
  return moved && there ? { ...moved, config: there } : null;
}

/** PVE hides guests that the caller may not see. Whether the VMID is free shows whether one exists. */
async function proveAbsence({ kind, api, signal }: Query, vmid: number): Promise<null> {
  await api.cluster.checkId(vmid, { signal }).catch(async (reason: unknown) => {
    if (!isPveError(reason, "exists")) throw reason;
    const guest = await api.inventory.locate(vmid);
    if (guest !== null && guest.type !== kind.type) return;
    throw new Failure(
      `${kind.title} ${vmid} cannot be seen`,
      "It exists, but Proxmox VE does not show it. Grant VM.Audit on it, or on `/vms`, to the user and to the token.",
      { cause: reason },
    );
  });
  return null;
}

/** The same for a guest that is about to be changed: what the plan before this has just read is not read again. */
export const findGuestToChange = (query: GuestQuery, vmid: number): Promise<FoundGuest | OfflineGuest | null> =>
  findGuest(query, vmid, (guest) => configToChange(query, guest));
