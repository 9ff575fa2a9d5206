import { Failure } from "#framework";
import type { GuestResource } from "#pve";
import { isPveError } from "./pve-error.ts";
import type { Session } from "./session.ts";

interface Search {
  readonly signal?: AbortSignal | undefined;
  /** What the message calls the guest. */
  readonly title?: string;
}

/**
 * The node of a guest that a state has something of. Null: it does not exist. One that PVE hides is an error: what belongs to it
 * is not gone with it, and would be in no state any more.
 */
export const locateGuest = async (api: Session, vmid: number, search: Search = {}): Promise<GuestResource | null> =>
  (await api.inventory.locate(vmid)) ?? findHidden(api, vmid, search);

/**
 * Proves that a guest that was not found does not exist: null. PVE hides guests that the caller may not see; whether the VMID is
 * free shows whether one exists. Returns the guest if it can be seen meanwhile.
 */
export async function findHidden(
  api: Session,
  vmid: number,
  { signal, title = "Guest" }: Search,
): Promise<GuestResource | null> {
  try {
    await api.cluster.checkId(vmid, { signal });
    return null;
  } catch (reason) {
    if (!isPveError(reason, "exists")) throw reason;
    // It may have been created since the cluster was read.
    api.inventory.forget();
    const guest = await api.inventory.locate(vmid);
    if (guest !== null) return guest;
    throw new Failure(
      `${title} ${vmid} cannot be seen`,
      "It exists, but Proxmox VE does not show it. Grant VM.Audit on it, or on `/vms`, to the user and to the token.",
      { cause: reason },
    );
  }
}
