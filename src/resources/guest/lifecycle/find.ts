import { Failure, findHidden, type Session } from "#kit";
import type { GuestAddress, GuestConfig, InventoryGuest } from "#pve";
import { addressOf } from "../address.ts";
import type { GuestBase } from "../base.ts";
import type { GuestQuery } from "../context.ts";
import { configToChange, configWithPending } from "./known.ts";

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

/** A guest that is listed, and is not where it is listed, is looked for again: another client may have moved it. */
const attempts = 3;

/**
 * Looks a guest up: one shared snapshot of the cluster, one configuration. Null: it does not exist, which a free VMID proves, since
 * a guest that was moved or that PVE hides is not gone.
 */
export async function findGuest(
  query: Query,
  vmid: number,
  read: ReadConfig = (guest) => query.kind.calls(query.api).findConfig(guest, { signal: query.signal }),
): Promise<FoundGuest | OfflineGuest | null> {
  const { kind, api, signal } = query;
  for (let attempt = 1; attempt <= attempts; attempt++) {
    const found = await lookUp(query, vmid, read);
    if (found !== null) return found;
    const hidden = await findHidden(api, vmid, { signal, title: kind.title });
    if (hidden?.type !== kind.type) return null;
  }
  throw new Failure(
    `${kind.title} ${vmid} cannot be read`,
    "It exists, but not on the node that Proxmox VE names. It may be on its way to another one: try again.",
  );
}

/** Null: it is not listed, or not where it is listed. */
async function lookUp({ kind, api }: Query, vmid: number, read: ReadConfig): Promise<FoundGuest | OfflineGuest | null> {
  const listed = (await api.inventory.snapshot()).guests.get(vmid);
  // The cluster knows its node, so the list of that node and the configuration are read at the same time.
  const [seen, ahead] = await Promise.all([
    api.inventory.find(kind.type, vmid),
    listed?.type === kind.type ? readOnline(api, listed, read) : undefined,
  ]);
  if (seen === null) return null;
  const config = listed?.node === seen.node && ahead !== undefined ? ahead : await readOnline(api, seen, read);
  if (config === "offline") return { ...seen, config: null };
  if (config !== null) return { ...seen, config };
  // It existed a moment ago: it was moved or removed since.
  api.inventory.forget();
  return null;
}

async function readOnline(
  api: Session,
  guest: GuestAddress,
  read: ReadConfig,
): Promise<GuestConfig | null | "offline"> {
  const { isOnline } = await api.inventory.snapshot();
  return isOnline(guest.node) ? read(addressOf(guest)) : "offline";
}

/** The same for a guest that is about to be changed: what the plan before this has just read is not read again. */
export const findGuestToChange = (query: GuestQuery, vmid: number): Promise<FoundGuest | OfflineGuest | null> =>
  findGuest(query, vmid, (guest) => configToChange(query, guest));

/** The same with its pending changes, which cost no further call. */
export const findGuestWithPending = (query: GuestQuery, vmid: number): Promise<FoundGuest | OfflineGuest | null> =>
  findGuest(query, vmid, (guest) => configWithPending(query, guest));
