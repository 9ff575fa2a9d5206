import { splitList } from "../core/schema/format.ts";
import type { Node } from "../core/world/node.ts";
import type { SdnConfig } from "../core/world/sdn.ts";
import { generators, type InterfaceLines } from "./zone-interfaces.ts";

/** A zone without a list of nodes is on all nodes. */
export function isZoneOnNode({ zones }: SdnConfig, zone: string, node: string): boolean {
  const nodes = zones[zone]?.options["nodes"];
  return zones[zone] !== undefined && (nodes === undefined || splitList(String(nodes)).includes(node));
}

/**
 * /etc/network/interfaces.d/sdn of a node (pve-network `src/PVE/Network/SDN/Zones.pm`); `warn` is called for skipped
 * vnets.
 */
export function sdnInterfaces(
  config: SdnConfig,
  host: Node,
  version: number,
  warn: (text: string) => void = () => undefined,
): string {
  const all: InterfaceLines = {};
  for (const id of Object.keys(config.vnets).sort()) {
    const vnet = config.vnets[id];
    const zoneId = String(vnet?.options["zone"]);
    const zone = config.zones[zoneId];
    if (zone === undefined || vnet === undefined) {
      warn(`can't generate vnet '${id}': zone ${zoneId} don't exist`);
      continue;
    }
    if (!isZoneOnNode(config, zoneId, host.name)) {
      continue;
    }
    try {
      Object.assign(all, { ...generators[zone.type]?.({ config, host, zoneId, zone, id, vnet }), ...all });
    } catch (thrown) {
      warn(`zone ${zoneId} : vnet ${id} : ${(thrown as Error).message}`);
    }
  }
  const stanzas = Object.keys(all)
    .sort()
    .map((iface) => `\nauto ${iface}\niface ${iface}\n${(all[iface] ?? []).map((line) => `\t${line}\n`).join("")}`);
  return `#version:${version}\n${stanzas.join("")}`;
}

/** The version in the file of a node. */
export function sdnVersion({ sdnInterfaces: text }: Node): number | undefined {
  const version = /^#version:(\d+)$/m.exec(text ?? "")?.[1];
  return version === undefined ? undefined : Number(version);
}

/** Whether any part of the configuration uses routing. */
export function hasRouting({ controllers, fabrics }: SdnConfig): boolean {
  return Object.keys(controllers).length + Object.keys(fabrics).length > 0;
}

/** /etc/frr/frr.conf of a node: the header and footer that PVE writes, and the names of the routers. */
export function frrConfig({ controllers, fabrics }: SdnConfig, host: Node): string {
  const bgp = Object.values(controllers).filter(({ type, options }) => type === "bgp" && options["node"] === host.name);
  const evpn = Object.values(controllers).filter(({ type }) => type === "evpn");
  const asn = [...bgp, ...evpn][0]?.options["asn"];
  const members = Object.values(fabrics).filter(({ options }) => options["node_id"] === host.name);
  const routers = [
    ...(asn === undefined ? [] : [`router bgp ${asn}`, ` bgp router-id ${host.address}`, "exit", "!"]),
    ...members.flatMap(({ options }) => [`router openfabric ${options["fabric_id"]}`, "exit", "!"]),
  ];
  const lines = [
    "frr version 10.4.1",
    "frr defaults datacenter",
    `hostname ${host.name}`,
    "log syslog informational",
    "service integrated-vtysh-config",
    "!",
    ...routers,
    "line vty",
    "!",
  ];
  return lines.map((line) => `${line}\n`).join("");
}
