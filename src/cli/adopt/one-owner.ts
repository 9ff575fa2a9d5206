import type { Adopted } from "./collect.ts";

/** Guests, and what the HA manager calls them. */
const kinds: Readonly<Record<string, string>> = { proxmox_vm: "vm", proxmox_container: "ct" };

/** `ha` of a guest and a `proxmox_ha_resource` are one entry of the HA manager, which only one of them may manage. */
export function withOneOwner(adopted: readonly Adopted[]): Adopted[] {
  const managed = new Set(adopted.filter(({ type }) => type === "proxmox_ha_resource").map(({ importId }) => importId));
  return adopted.map((one) => {
    const { ha, ...others } = one.values;
    const isManaged = ha !== undefined && managed.has(`${kinds[one.type]}:${one.importId}`);
    return isManaged ? { ...one, values: others } : one;
  });
}
