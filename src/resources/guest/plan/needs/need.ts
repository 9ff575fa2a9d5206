import type { Need } from "#kit";
import type { Privilege } from "../../privileges.ts";

type Attribute = Need["attribute"];

/** The parts of a guest that decide where privileges on it are held; one that does not exist yet may have no VMID. */
export interface Held {
  readonly vmid?: number | null | undefined;
  readonly pool?: string | null | undefined;
}

/**
 * A privilege on the guest, or on the pool it is in. Without a pool it is best granted on `/vms`: PVE removes an entry on
 * a VMID with the guest (qemu-server: src/PVE/API2/Qemu.pm, `destroy_vm`).
 */
export function onGuest({ vmid, pool }: Held, { privileges }: Privilege, attribute: Attribute): Need {
  const path = `/vms/${vmid ?? "-"}`;
  return pool
    ? { privileges, paths: [path, `/pool/${pool}`], attribute }
    : { privileges, paths: [path], attribute, grantOn: "/vms" };
}

/** A privilege on something else that the guest uses. */
export const onPath = ({ privileges }: Privilege, path: string, attribute: Attribute): Need => ({
  privileges,
  paths: [path],
  attribute,
});

export const onStorage = (privilege: Privilege, storage: string, attribute: Attribute): Need =>
  onPath(privilege, `/storage/${storage}`, attribute);
