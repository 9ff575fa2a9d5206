import type { Fields } from "./reader.ts";

/** Lists that Proxmox VE sends in any order, and the members that name an element. */
const namesIn: Readonly<Record<string, readonly string[]>> = {
  "/access/acl": ["path", "type", "ugid", "roleid"],
  "/access/domains": ["realm"],
  "/access/groups": ["groupid"],
  "/access/roles": ["roleid"],
  "/cluster/acme/plugins": ["plugin"],
  "/cluster/ha/resources": ["sid"],
  "/cluster/ha/rules": ["rule"],
  "/cluster/mapping/dir": ["id"],
  "/cluster/mapping/pci": ["id"],
  "/cluster/mapping/usb": ["id"],
  "/cluster/resources": ["id"],
  "/cluster/sdn/dns": ["dns"],
  "/cluster/sdn/fabrics/fabric": ["id"],
  "/cluster/sdn/fabrics/node": ["fabric_id", "node_id"],
  "/cluster/sdn/ipams": ["ipam"],
  "/cluster/sdn/ipams/{ipam}/status": ["zone", "subnet", "ip"],
  "/cluster/status": ["type", "name"],
  "/nodes/{node}/lxc/{vmid}/pending": ["key"],
  "/nodes/{node}/lxc/{vmid}/snapshot": ["name"],
  "/nodes/{node}/network": ["iface"],
  "/nodes/{node}/qemu/{vmid}/pending": ["key"],
  "/nodes/{node}/qemu/{vmid}/snapshot": ["name"],
  "/nodes/{node}/storage": ["storage"],
  "/storage": ["storage"],
};

/** The list of a path in an order of its own, so that two exports of one cluster are equal. */
export function tidyList(path: string, list: readonly Fields[]): Fields[] {
  const names = namesIn[path];
  const whole = list.map((one) => tidy(one));
  if (names === undefined) return whole;
  const nameOf = (one: Fields) => names.map((name) => String(one[name])).join("\0");
  return whole.sort((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1));
}

/** Members by name, objects inside included. */
export function tidy<T>(value: T): T {
  if (Array.isArray(value)) return value.map((one) => tidy(one)) as T;
  if (typeof value !== "object" || value === null) return value;
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(members.map(([name, member]) => [name, tidy(member)])) as T;
}
