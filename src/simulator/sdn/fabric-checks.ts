import { die } from "../core/kernel/failure.ts";
import { isInNetwork, type Network, parseIp, parseNetwork } from "../core/schema/ip-address.ts";
import type { SdnConfig } from "../core/world/sdn.ts";
import { listFabricNodes, listFabrics, nodeKey } from "./fabric-config.ts";

// proxmox-ve-rs `proxmox-ve-config/src/sdn/fabric`: the checks before the file is written.

type Entry = Record<string, unknown>;

const families = [
  { ip: "ip", prefix: "ip_prefix", own: "IP", other: "IPv4" },
  { ip: "ip6", prefix: "ip6_prefix", own: "IPv6", other: "IPv6" },
] as const;

function overlap(one: Network | undefined, other: Network | undefined): boolean {
  return one !== undefined && other !== undefined && one.first <= other.last && other.first <= one.last;
}

function checkPrefixes(fabrics: readonly Entry[]): void {
  for (const [index, first] of fabrics.entries()) {
    for (const second of fabrics.slice(index + 1)) {
      for (const { prefix, own, other } of families) {
        const [one, two] = [first[prefix], second[prefix]].map((text) =>
          text === undefined ? undefined : parseNetwork(String(text)),
        );
        if (overlap(one, two)) {
          die(
            `${own} prefix ${second[prefix]} in fabric '${second["id"]}' overlaps with ${other} prefix ${first[prefix]} in fabric '${first["id"]}'`,
          );
        }
      }
    }
  }
}

/** The address that corresponds to an area's number. */
function areaAddress(area: unknown): string {
  const text = String(area);
  return /^\d+$/.test(text) ? text : String(parseIp(text)?.value ?? text);
}

const interfaceNames = (node: Entry) =>
  (node["interfaces"] as string[]).map((text) => /(?:^|,)name=([^,]+)/.exec(text)?.[1] ?? "");

function checkNode(fabric: Entry, node: Entry, seen: Set<string>): void {
  const name = nodeKey(String(fabric["id"]), String(node["node_id"]));
  for (const { ip, prefix } of families) {
    const [address, network] = [node[ip], fabric[prefix]];
    if (network === undefined && address !== undefined) {
      die(`fabric '${fabric["id"]}' does not have an IP prefix configured for the node IP ${address}`);
    }
    if (network !== undefined && address === undefined && fabric["protocol"] !== "wireguard") {
      die(`node '${name}' does not have an IP configured for this fabric prefix ${network}`);
    }
    if (
      network !== undefined &&
      address !== undefined &&
      !isInNetwork(parseNetwork(String(network)), parseIp(String(address)))
    ) {
      die(`node IP ${address} is outside the IP prefix ${network} of the fabric`);
    }
  }
  for (const address of families.flatMap(({ ip }) => node[ip] ?? [])) {
    if (seen.has(String(address))) {
      die(`fabric ${fabric["id"]} contains nodes with duplicated IPs`);
    }
    seen.add(String(address));
  }
  checkNodeProtocol(fabric, node, name);
}

function checkNodeProtocol(fabric: Entry, node: Entry, name: string): void {
  if (fabric["protocol"] === "wireguard") {
    return;
  }
  const isOspf = fabric["protocol"] === "ospf";
  if (node["ip"] === undefined && (isOspf || node["ip6"] === undefined)) {
    die(`node '${name}' does not have an IP configured`);
  }
  if (isOspf && node["ip6"] !== undefined) {
    die("IPv6 is currently not supported for protocol ospf");
  }
}

function checkFabric(fabric: Entry): void {
  if (fabric["protocol"] === "wireguard") {
    return;
  }
  const isOspf = fabric["protocol"] === "ospf";
  if (fabric["ip_prefix"] === undefined && (isOspf || fabric["ip6_prefix"] === undefined)) {
    die(`fabric '${fabric["id"]}' does not have an IP prefix configured`);
  }
  if (isOspf && fabric["ip6_prefix"] !== undefined) {
    die("IPv6 is currently not supported for protocol ospf");
  }
}

const partsOf = (text: string): Record<string, string> =>
  Object.fromEntries(text.split(",").map((part) => part.split("=", 2) as [string, string]));

/** Peers of WireGuard name interfaces and nodes that exist; a port of a node is used once. */
function checkWireGuard(nodes: readonly Entry[]): void {
  const members = nodes.filter((node) => node["protocol"] === "wireguard");
  const ports = new Set<string>();
  for (const node of members) {
    for (const { listen_port: port } of (node["interfaces"] as string[]).map(partsOf)) {
      if (ports.has(`${node["node_id"]} ${port}`)) {
        die(`WireGuard interface listen port duplicated in node configuration: ${port}`);
      }
      ports.add(`${node["node_id"]} ${port}`);
    }
    for (const peer of ((node["peers"] ?? []) as string[]).map(partsOf)) {
      checkPeer(
        node,
        peer,
        members.find((one) => one["fabric_id"] === node["fabric_id"] && one["node_id"] === peer["node"]),
      );
    }
  }
}

function checkPeer(node: Entry, peer: Record<string, string>, target: Entry | undefined): void {
  const { type, node: name, node_iface: far = "", iface = "" } = peer;
  if (!interfaceNames(node).includes(iface)) {
    die(`peer configuration references non-existing local interface '${iface}'`);
  }
  if (type === "external" && target?.["role"] !== "external") {
    die(`peer configuration references non-existing external node '${name}'`);
  }
  if (type === "internal" && (target === undefined || !interfaceNames(target).includes(far))) {
    die(`peer configuration references non-existing interface '${far}' on node '${name}'`);
  }
}

export function checkFabrics(sections: SdnConfig["fabrics"]): void {
  const fabrics = Object.values(listFabrics(sections));
  const nodes = Object.values(listFabricNodes(sections));
  const interfaces = new Set<string>();
  const areas = new Set<string>();
  checkPrefixes(fabrics);
  for (const fabric of fabrics) {
    const area = fabric["protocol"] === "ospf" ? areaAddress(fabric["area"]) : undefined;
    if (area !== undefined && areas.has(area)) {
      die("duplicate OSPF area");
    }
    areas.add(area ?? "");
    const members = nodes.filter((node) => node["fabric_id"] === fabric["id"]);
    // A BGP fabric may run over the interfaces of a WireGuard fabric.
    const layer = fabric["protocol"] === "wireguard" ? "wireguard" : "physical";
    const names = members.flatMap((node) => interfaceNames(node).map((name) => `${layer}/${node["node_id"]}/${name}`));
    for (const used of names) {
      if (interfaces.has(used)) {
        die("interface is already in use by another fabric");
      }
      interfaces.add(used);
    }
    const seen = new Set<string>();
    for (const node of members) {
      checkNode(fabric, node, seen);
    }
    checkFabric(fabric);
  }
  checkWireGuard(nodes);
}
