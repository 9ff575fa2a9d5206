import type { GuestResource } from "#pve";
import type { Session } from "./session.ts";

/** `VM "web" on pve2`, with the name it has now: the cluster's list knows none of a guest younger than 10 s. */
export async function showGuest(api: Session, guest: GuestResource): Promise<string> {
  const kind = guest.type === "lxc" ? "Container" : "VM";
  const name = await api.inventory.nameOf(guest);
  return `${kind} ${name === undefined ? guest.vmid : `"${name}"`} on ${guest.node}`;
}
