import type { Adopted } from "./collect.ts";
import { Expression, quoted } from "./hcl.ts";
import { Secret } from "./smallest.ts";
import { keyOf } from "./tables.ts";

/** Attributes that name another object, and the type and the attribute of what they name. */
const targets: Readonly<Record<string, readonly [type: string, attribute: string]>> = {
  pool: ["proxmox_pool", "id"],
  storage: ["proxmox_storage", "id"],
  storages: ["proxmox_storage", "id"],
  zone: ["proxmox_sdn_zone", "id"],
  vnet: ["proxmox_sdn_vnet", "id"],
  bridge: ["proxmox_sdn_vnet", "id"],
  controller: ["proxmox_sdn_controller", "id"],
  fabric: ["proxmox_sdn_fabric", "id"],
  role: ["proxmox_role", "id"],
  group: ["proxmox_group", "id"],
  groups: ["proxmox_group", "id"],
  user: ["proxmox_user", "id"],
  realm: ["proxmox_realm", "id"],
  mapping: ["proxmox_hardware_mapping", "name"],
  template: ["proxmox_vm", "name"],
  targets: ["proxmox_notification_endpoint", "name"],
};

/** Where an object is in a configuration: `proxmox_vm.web`, `proxmox_pool.pools["web"]`. */
export const addressOf = (one: Adopted): string =>
  one.table === null ? `${one.type}.${one.name}` : `${one.type}.${one.table.name}[${quoted(keyOf(one, one.table))}]`;

interface Place {
  readonly to: Adopted;
  readonly text: string;
}

/** References instead of literals, wherever the object that is named is taken over, too. */
export function withReferences(adopted: readonly Adopted[]): Adopted[] {
  const places = new Map<string, Place>();
  for (const to of adopted) {
    for (const attribute of new Set(
      Object.values(targets).flatMap(([target, one]) => (target === to.type ? [one] : [])),
    )) {
      const own = to.all[attribute] ?? Object.values(to.identity)[0];
      const text = `${addressOf(to)}.${identityAttribute(to.identity, attribute)}`;
      places.set(`${to.type} ${own}`, { to, text });
    }
  }
  return adopted.map((one) => ({ ...one, values: refer(one.values, one, places) as Adopted["values"] }));
}

/** The attribute by which the object is identified, if it is not called as expected. */
const identityAttribute = (identity: Adopted["identity"], expected: string): string =>
  expected in identity ? expected : (Object.keys(identity)[0] ?? expected);

function refer(value: unknown, self: Adopted, places: ReadonlyMap<string, Place>, attribute = ""): unknown {
  if (Array.isArray(value)) return value.map((one) => refer(one, self, places, attribute));
  if (typeof value === "object" && value !== null && !(value instanceof Expression || value instanceof Secret)) {
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, refer(one, self, places, name)]));
  }
  const [type] = targets[attribute] ?? [];
  const place = typeof value === "string" && type !== undefined ? places.get(`${type} ${value}`) : undefined;
  return place === undefined || isCircular(self, place.to) ? value : new Expression(place.text);
}

/** A resource cannot refer to itself, and two of one type with `for_each` might refer to each other. */
const isCircular = (self: Adopted, to: Adopted): boolean =>
  self === to || (self.type === to.type && (self.table !== null || to.table !== null));
