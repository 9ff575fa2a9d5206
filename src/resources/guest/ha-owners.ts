import type { Session } from "#kit";

type Owner = "guest" | "resource";

/** Who of this configuration manages an entry of the HA manager, by service ID. */
const owners = (api: Session): Map<string, Set<Owner>> =>
  api.store.keep("who manages guests under HA", () => new Map());

/** Why the claim is refused, whichever of the two is planned first: `ha` of a guest and a resource would undo each other. */
export function claimHa(api: Session, sid: string, owner: Owner): string | null {
  const own = owners(api).get(sid) ?? new Set();
  owners(api).set(sid, own.add(owner));
  if (own.size === 1) return null;
  const [type, noun] = sid.startsWith("ct:") ? ["proxmox_container", "container"] : ["proxmox_vm", "VM"];
  return owner === "resource"
    ? `\`ha\` of a \`${type}\` manages "${sid}" already. Remove this resource, or \`ha\` of the ${noun}.`
    : `A \`proxmox_ha_resource\` manages "${sid}" already. Remove that resource, or \`ha\` of this ${noun}.`;
}
