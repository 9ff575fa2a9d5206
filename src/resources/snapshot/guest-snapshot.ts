import { alreadyExists, type LocatedGuest, locateGuest, type Session } from "#kit";
import type { GuestResource } from "#pve";

export const snapshotType = "proxmox_snapshot";

export function parseSnapshotId(id: string): { readonly vmid: number; readonly name: string } | null {
  const [, vmid, name] = /^([1-9]\d{2,8})\/([A-Za-z][\w-]{1,39})$/.exec(id) ?? [];
  return name === undefined ? null : { vmid: Number(vmid), name };
}

/** What to say about a snapshot that is there already. */
export function existing({ vmid, name }: { readonly vmid: number; readonly name: string }) {
  const label = `Snapshot ${name} of guest ${vmid}`;
  const otherwise = "Otherwise choose another `name`.";
  return alreadyExists({ type: snapshotType, id: `${vmid}/${name}`, label, otherwise });
}

/** The guest of a snapshot that is planned. Null: it does not exist yet, or the caller may not see it. */
export const locatePlanned = async (api: Session, vmid: number): Promise<LocatedGuest | null> =>
  addressIn(await api.inventory.locate(vmid));

/** The guest of a snapshot that a state has. Null: it does not exist. One that is hidden is an error: its snapshots are not gone. */
export const locateOwn = async (api: Session, vmid: number, signal: AbortSignal): Promise<LocatedGuest | null> =>
  addressIn(await locateGuest(api, vmid, { signal }));

const addressIn = (guest: GuestResource | null): LocatedGuest | null =>
  guest && { node: guest.node, vmid: guest.vmid, type: guest.type };
