import type { Need } from "#kit";
import { type VmRight, vmRights } from "../../rights.ts";

type Attribute = Need["attribute"];

/** A VM as far as rights on it go; one that is yet to be made may have no VMID. */
export interface Held {
  readonly vmid?: number | null | undefined;
  readonly pool?: string | null | undefined;
}

/**
 * A right on the VM, or on the pool it is in. Where there is no pool it is best granted on `/vms`: an entry on a VMID
 * goes away with the VM (qemu-server: src/PVE/API2/Qemu.pm, `destroy_vm`).
 */
export function onVm({ vmid, pool }: Held, right: VmRight, attribute: Attribute): Need {
  const { privileges } = vmRights[right];
  const path = `/vms/${vmid ?? "-"}`;
  return pool
    ? { privileges, paths: [path, `/pool/${pool}`], attribute }
    : { privileges, paths: [path], attribute, grantOn: "/vms" };
}

/** A right on something else that the VM uses. */
export const onPath = (right: VmRight, path: string, attribute: Attribute): Need => ({
  privileges: vmRights[right].privileges,
  paths: [path],
  attribute,
});

export const onStorage = (right: VmRight, storage: string, attribute: Attribute): Need =>
  onPath(right, `/storage/${storage}`, attribute);
