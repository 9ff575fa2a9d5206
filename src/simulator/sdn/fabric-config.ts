import { createHash } from "node:crypto";
import { die } from "../core/kernel/failure.ts";
import { formatNetwork, parseNetwork } from "../core/schema/ip-address.ts";
import { type Parsed, parsePropertyString } from "../core/schema/property-string.ts";
import type { SdnConfig } from "../core/world/sdn.ts";
import type { ConfigSection } from "../core/world/section.ts";
import { interfaceKeys, interfacePropertiesFormat, type Protocol } from "./fabric-options.ts";

/*
 * sdn/fabrics.cfg: proxmox-ve-rs `proxmox-ve-config/src/sdn/fabric/mod.rs` with the bindings of proxmox-perl-rs
 * `pve-rs/src/bindings/sdn/fabrics.rs`. A fabric's section has its id, a node's is `<fabric>_<node>`.
 */

type Sections = SdnConfig["fabrics"];
type Entry = Record<string, unknown>;

const isNode = ({ type }: ConfigSection) => type.endsWith("_node");

export const nodeKey = (fabric: string, node: string) => `${fabric}_${node}`;

const numbers = ["hello_interval", "csnp_interval", "persistent_keepalive", "asn", "bfd"];

function describe({ options }: ConfigSection): Entry {
  return Object.fromEntries(
    Object.entries(options).map(([name, value]) => [name, numbers.includes(name) ? Number(value) : value]),
  );
}

/** Fabrics by id. */
export function listFabrics(sections: Sections): Record<string, Entry> {
  return Object.fromEntries(
    Object.entries(sections)
      .filter(([, section]) => !isNode(section))
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([id, section]) => [id, describe(section)]),
  );
}

/** Nodes of all fabrics by `<fabric>_<node>`, in the order of the fabrics. */
export function listFabricNodes(sections: Sections): Record<string, Entry> {
  const nodes = Object.values(sections).filter(isNode).map(describe);
  const key = (entry: Entry) => nodeKey(String(entry["fabric_id"]), String(entry["node_id"]));
  return Object.fromEntries(
    nodes
      .sort((a, b) => (`${a["fabric_id"]}\0${a["node_id"]}` < `${b["fabric_id"]}\0${b["node_id"]}` ? -1 : 1))
      .map((entry) => [key(entry), { interfaces: [], ...entry }]),
  );
}

/** Nodes of one fabric by their name. */
export function nodesOfFabric(sections: Sections, fabric: string): Record<string, Entry> {
  getFabric(sections, fabric);
  return Object.fromEntries(
    Object.values(listFabricNodes(sections))
      .filter((entry) => entry["fabric_id"] === fabric)
      .map((entry) => [String(entry["node_id"]), entry]),
  );
}

export function getFabric(sections: Sections, id: string): ConfigSection {
  const section = sections[id];
  return section === undefined || isNode(section) ? die(`fabric '${id}' does not exist in configuration`) : section;
}

export function getFabricNode(sections: Sections, fabric: string, node: string): ConfigSection {
  getFabric(sections, fabric);
  return sections[nodeKey(fabric, node)] ?? die(`node '${node}' does not exist in fabric '${fabric}'`);
}

/** SHA-256 of the whole configuration. */
export function fabricsDigest(sections: Sections): string {
  const data = { fabrics: listFabrics(sections), nodes: listFabricNodes(sections) };
  return createHash("sha256").update(JSON.stringify(data)).digest("hex");
}

/** A new fabric's prefix has no host bits. */
export const canonicalPrefix = (text: string) => {
  const network = parseNetwork(text);
  return network === undefined ? text : formatNetwork(network);
};

/** The key of an interface of WireGuard belongs to the node and the name: the same name has the same key again. */
const publicKey = (node: string, name: string): string =>
  createHash("sha256").update(`wireguard ${node} ${name}`).digest("base64");

/** Interfaces in the order in which Rust prints their properties. */
export function normalInterfaces(protocol: Protocol, node: string, list: readonly string[]): string[] {
  return list.map((text) => {
    const parsed: Parsed = parsePropertyString(interfacePropertiesFormat, text);
    if (protocol === "wireguard") {
      parsed["public_key"] = publicKey(node, parsed["name"] ?? "");
      if (parsed["listen_port"] === undefined) {
        die("error: missing field `listen_port`");
      }
    }
    const keys = interfaceKeys[protocol];
    return keys.flatMap((key) => (parsed[key] === undefined ? [] : [`${key}=${parsed[key]}`])).join(",");
  });
}

/** A BGP fabric and a BGP controller exclude each other. */
export const bgpFabric = ({ fabrics }: SdnConfig): string | undefined =>
  Object.keys(fabrics).find((id) => fabrics[id]?.type === "bgp_fabric");
