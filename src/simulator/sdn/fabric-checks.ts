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
    if (network !== undefined && address === undefined) {
      die(`node '${name}' does not have an IP configured for this fabric prefix ${network}`);
    }
    if (network !== undefined && !isInNetwork(parseNetwork(String(network)), parseIp(String(address)))) {
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
  const isOspf = fabric["protocol"] === "ospf";
  if (node["ip"] === undefined && (isOspf || node["ip6"] === undefined)) {
    die(`node '${name}' does not have an IP configured`);
  }
  if (isOspf && node["ip6"] !== undefined) {
    die("IPv6 is currently not supported for protocol ospf");
  }
}

function checkFabric(fabric: Entry): void {
  const isOspf = fabric["protocol"] === "ospf";
  if (fabric["ip_prefix"] === undefined && (isOspf || fabric["ip6_prefix"] === undefined)) {
    die(`fabric '${fabric["id"]}' does not have an IP prefix configured`);
  }
  if (isOspf && fabric["ip6_prefix"] !== undefined) {
    die("IPv6 is currently not supported for protocol ospf");
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
    for (const used of members.flatMap((node) => interfaceNames(node).map((name) => `${node["node_id"]}/${name}`))) {
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
}
