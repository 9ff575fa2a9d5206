import { alreadyExists, type LocatedGuest, type Session } from "#kit";

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

export async function locateGuest(api: Session, vmid: number): Promise<LocatedGuest | null> {
  const guest = await api.inventory.locate(vmid);
  return guest && { node: guest.node, vmid, type: guest.type };
}
