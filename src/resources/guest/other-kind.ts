import type { Session } from "#kit";
import type { GuestBase } from "./base.ts";

/** Says that the VMID belongs to a guest of the other kind, or nothing. */
export async function whyOtherKind(kind: GuestBase, api: Session, vmid: number): Promise<string | undefined> {
  const guest = await api.inventory.locate(vmid);
  if (guest === null || guest.type === kind.type) return undefined;
  return `${vmid} is a ${guest.type === "lxc" ? "container" : "VM"} on ${guest.node}, not a ${kind.noun}.`;
}
