import type { GuestType, InventoryGuest, PveClient } from "#pve";
import { markOf } from "../resources/guest/mark.ts";

/** A guest with the mark of a create that has not been completed. */
export interface UnfinishedGuest extends Pick<InventoryGuest, "vmid" | "node" | "name" | "status"> {
  readonly type: GuestType;
  /** A task may still work on it. */
  readonly lock: string | undefined;
}

/**
 * Guests whose create was interrupted, or is in progress. The mark is in the description, which no list of Proxmox VE
 * shows: each guest is read, except for templates and those of offline nodes.
 */
export async function unfinishedGuests(client: PveClient): Promise<UnfinishedGuest[]> {
  const ofType = async (type: GuestType): Promise<UnfinishedGuest[]> => {
    const guests = (await client.inventory.list(type)).filter(({ isTemplate, isStale }) => !isTemplate && !isStale);
    const read = guests.map(async ({ vmid, node, name, status }) => {
      const config = await client[type].findConfig({ node, vmid });
      return config && markOf(config.description) !== null
        ? [{ vmid, node, name, status, type, lock: config.lock }]
        : [];
    });
    return (await Promise.all(read)).flat();
  };
  const found = await Promise.all([ofType("qemu"), ofType("lxc")]);
  return found.flat().sort((one, other) => one.vmid - other.vmid);
}

/** `VM 741 (web-1) on pve1, stopped` */
export const showUnfinished = ({ vmid, node, name, status, type, lock }: UnfinishedGuest): string => {
  const title = `${type === "qemu" ? "VM" : "container"} ${vmid}`;
  return `${title}${name === undefined ? "" : ` (${name})`} on ${node}, ${lock === undefined ? status : `locked (${lock})`}`;
};
