import { splitList } from "../core/schema/format.ts";
import type { Node } from "../core/world/node.ts";
import type { SdnConfig } from "../core/world/sdn.ts";
import type { ConfigSection } from "../core/world/section.ts";
import { subnetParts } from "./subnets.ts";

/*
 * The interfaces of a zone's vnets on a node: pve-network `src/PVE/Network/SDN/Zones/*Plugin.pm`, generate_sdn_config.
 * Open vSwitch is not installed.
 */

/** Lines of each interface. */
export type InterfaceLines = Record<string, string[]>;

export interface VnetPlace {
  readonly config: SdnConfig;
  readonly host: Node;
  readonly zoneId: string;
  readonly zone: ConfigSection;
  readonly id: string;
  readonly vnet: ConfigSection;
}

type Generator = (place: VnetPlace) => InterfaceLines;

const when = (value: unknown, line: string) => (value === undefined || value === "0" ? [] : [line]);
const mtuLine = (mtu: unknown) => when(mtu, `mtu ${mtu}`);
const veth = (peer: string, mtu?: unknown) => ["link-type veth", `veth-peer-name ${peer}`, ...mtuLine(mtu)];

/** The bridge to which guests are connected. */
function vnetBridge({ vnet }: VnetPlace, ports: string, mtu: unknown): string[] {
  const { vlanaware, alias } = vnet.options;
  return [
    `bridge_ports ${ports}`,
    "bridge_stp off",
    "bridge_fd 0",
    ...when(vlanaware, "bridge-vlan-aware yes"),
    ...when(vlanaware, "bridge-vids 2-4094"),
    ...mtuLine(mtu),
    ...when(alias, `alias ${alias}`),
  ];
}

interface Gateways {
  readonly lines: string[];
  readonly forwarding: string[];
}

/** Addresses of the subnets' gateways, source NAT, and forwarding in the kernel. */
function gateways({ config, host, id }: VnetPlace, isExit: boolean, hasRoutes: boolean): Gateways {
  const ids = Object.keys(config.subnets).filter((subnet) => config.subnets[subnet]?.options["vnet"] === id);
  const versions = new Set<4 | 6>();
  const lines = ids.sort().flatMap((subnetId) => {
    const { cidr, mask } = subnetParts(subnetId);
    const { gateway, snat } = config.subnets[subnetId]?.options ?? {};
    const version = String(gateway ?? "").includes(":") ? 6 : 4;
    const tables = version === 6 ? "ip6tables" : "iptables";
    const nat = `-t nat -X POSTROUTING -s '${cidr}' -o vmbr0 -j SNAT --to-source ${host.address}`;
    const raw = "-t raw -X PREROUTING -i fwbr+ -j CT --zone 1";
    const rule = (text: string, add: string) => [
      `post-up ${tables} ${text.replace("-X", add)}`,
      `post-down ${tables} ${text.replace("-X", "-D")}`,
    ];
    if (gateway !== undefined) {
      versions.add(version);
    }
    return [
      ...when(gateway, `address ${gateway}/${mask}`),
      ...(hasRoutes && mask === "32" && version === 4 ? [`up ip route add ${cidr} dev ${id}`] : []),
      ...(snat === "1" && isExit && version === 4 ? [...rule(nat, "-A"), ...rule(raw, "-I")] : []),
    ];
  });
  const forwarding = [...(versions.has(4) ? ["ip-forward on"] : []), ...(versions.has(6) ? ["ip6-forward on"] : [])];
  return { lines, forwarding };
}

const simple: Generator = (place) => {
  const { lines, forwarding } = gateways(place, true, true);
  return { [place.id]: [...lines, ...vnetBridge(place, "none", place.zone.options["mtu"]), ...forwarding] };
};

/** The host's bridge that a zone uses; PVE reads it from the kernel. */
function hostBridge({ host, zone }: VnetPlace): { name: string; isVlanAware: boolean; ports: string[] } {
  const name = String(zone.options["bridge"]);
  const entry = host.interfaces[name];
  if (entry === undefined && !host.otherBridges.includes(name)) {
    throw new Error(`can't find bridge ${name} at /usr/share/perl5/PVE/Network/SDN/Zones/Plugin.pm line 323.`);
  }
  const isVlanAware = Number(entry?.["bridge_vlan_aware"] ?? 0) === 1;
  return { name, isVlanAware, ports: splitList(String(entry?.["bridge_ports"] ?? "")) };
}

const vlan: Generator = (place) => {
  const { name, isVlanAware, ports } = hostBridge(place);
  const { id, zone, vnet } = place;
  const { mtu } = zone.options;
  const { tag } = vnet.options;
  if (isVlanAware) {
    return { [id]: vnetBridge(place, `${name}.${tag}`, mtu) };
  }
  const uplink = `ln_${id}`;
  const peer = `pr_${id}`;
  const tagged = ports.map((port) => ` ${port}.${tag}`).join("");
  return {
    [uplink]: veth(peer, mtu),
    [peer]: veth(uplink, mtu),
    [`${name}v${tag}`]: [`bridge_ports ${tagged} ${peer}`, "bridge_stp off", "bridge_fd 0", ...mtuLine(mtu)],
    [id]: vnetBridge(place, uplink, mtu),
  };
};

const qinq: Generator = (place) => {
  const { name, isVlanAware, ports } = hostBridge(place);
  const { zoneId, zone, vnet } = place;
  const { mtu, tag: service, "vlan-protocol": protocol } = zone.options;
  const lines: InterfaceLines = {};
  const port = isVlanAware ? `${name}.${service}` : ports.length > 0 ? `sv_${zoneId}` : "";
  if (isVlanAware && protocol !== undefined) {
    lines[name] = [`bridge-vlan-protocol ${protocol}`];
    lines[port] = [`vlan-protocol ${protocol}`];
  }
  if (!isVlanAware && port !== "") {
    const named = when(protocol, `vlan-protocol ${protocol}`);
    lines[port] = [`vlan-raw-device ${ports[0]}`, `vlan-id ${service}`, ...named];
  }
  const tag = vnet.options["tag"];
  return {
    ...lines,
    [`ln_${zoneId}`]: veth(`pr_${zoneId}`),
    [`pr_${zoneId}`]: veth(`ln_${zoneId}`),
    [`z_${zoneId}`]: [
      ...mtuLine(mtu),
      "bridge-stp off",
      `bridge-ports ${port} ln_${zoneId}`,
      "bridge-fd 0",
      "bridge-vlan-aware yes",
      "bridge-vids 2-4094",
    ],
    [place.id]: vnetBridge(place, tag === undefined ? `pr_${zoneId}` : `z_${zoneId}.${tag}`, mtu),
  };
};

/** Addresses of the tunnel endpoints: those of a fabric or the listed ones. */
function peersOf({ config }: VnetPlace, { peers, fabric }: ConfigSection["options"]): string[] {
  const members = Object.values(config.fabrics).filter(({ options }) => options["fabric_id"] === fabric);
  return peers !== undefined ? splitList(String(peers)) : members.map(({ options }) => String(options["ip"]));
}

const vxlan: Generator = (place) => {
  const { host, id, zone, vnet } = place;
  const { "vxlan-port": port, mtu = "1450" } = zone.options;
  const remote = peersOf(place, zone.options).filter((peer) => peer !== host.address);
  return {
    [`vxlan_${id}`]: [
      `vxlan-id ${vnet.options["tag"]}`,
      ...remote.map((peer) => `vxlan_remoteip ${peer}`),
      ...when(port, `vxlan-port ${port}`),
      ...mtuLine(mtu),
    ],
    [id]: vnetBridge(place, `vxlan_${id}`, mtu),
  };
};

const evpn: Generator = (place) => {
  const { host, id, zone, zoneId, vnet } = place;
  const { mtu = "1450", mac, "vxlan-port": port, "vrf-vxlan": vni, exitnodes } = zone.options;
  const isExit = splitList(String(exitnodes ?? "")).includes(host.name);
  const tunnel = (tag: unknown) => [
    `vxlan-id ${tag}`,
    `vxlan-local-tunnelip ${host.address}`,
    ...when(port, `vxlan-port ${port}`),
    "bridge-learning off",
    ...(zone.options["disable-arp-nd-suppression"] === "1" ? [] : ["bridge-arp-nd-suppress on"]),
    ...mtuLine(mtu),
  ];
  const { lines, forwarding } = gateways(place, isExit, false);
  const vrf = `vrf_${zoneId}`;
  return {
    [`vxlan_${id}`]: tunnel(vnet.options["tag"]),
    [id]: [
      ...lines,
      ...when(mac, `hwaddress ${mac}`),
      ...vnetBridge(place, `vxlan_${id}`, mtu),
      ...forwarding,
      ...(lines.length > 0 ? ["arp-accept on"] : []),
      `vrf ${vrf}`,
    ],
    [vrf]: [
      "vrf-table auto",
      `post-up ip route ${isExit ? "del" : "add"} vrf ${vrf} unreachable default metric 4278198272`,
    ],
    [`vrfvx_${zoneId}`]: tunnel(vni),
    [`vrfbr_${zoneId}`]: [
      `bridge-ports vrfvx_${zoneId}`,
      "bridge_stp off",
      "bridge_fd 0",
      ...mtuLine(mtu),
      `vrf ${vrf}`,
    ],
  };
};

export const generators: Readonly<Record<string, Generator>> = { simple, vlan, qinq, vxlan, evpn };
