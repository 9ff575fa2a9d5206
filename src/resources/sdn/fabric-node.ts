import { defineCrud, each, int, map, nested, oneOf, string } from "#kit";
import { addressWithPrefix, ipAddress } from "./addresses.ts";
import { fabricNodesMovedFrom } from "./moved-from.ts";
import { interfaceName } from "./names.ts";
import { editedObjects } from "./pending.ts";
import { planFabricNode } from "./plan-fabric.ts";
import { findIn, sdnAttributes, staged } from "./staged.ts";

const path = "/cluster/sdn/fabrics/node/{fabric_id}/{node_id}";

interface Interface {
  readonly hello_multiplier?: number | null;
  readonly ip?: string | null;
  readonly ip6?: string | null;
  readonly network_type?: string | null;
}

const members = ["hello_multiplier", "ip", "ip6", "network_type"] as const;

/** `name=eth1,hello_multiplier=4,ip=10.0.0.1/31` */
const interfaces = each<Readonly<Record<string, Interface>>>({
  parse: (items) =>
    Object.fromEntries(
      items.map((item) => {
        const parts = Object.fromEntries(item.split(",").map((part) => part.split("=", 2) as [string, string]));
        const multiplier = parts["hello_multiplier"];
        const one = {
          hello_multiplier: multiplier === undefined ? null : Number(multiplier),
          ip: parts["ip"] ?? null,
          ip6: parts["ip6"] ?? null,
          network_type: parts["network_type"] ?? null,
        };
        return [parts["name"] ?? "", one];
      }),
    ),
  print: (all) =>
    Object.entries(all).map(([name, one]) =>
      [`name=${name}`, ...members.flatMap((member) => (one[member] ? [`${member}=${one[member]}`] : []))].join(","),
    ),
});

/** Options of an interface by the protocol of its fabric. */
const interfaceMembers: Readonly<Record<string, readonly string[]>> = {
  openfabric: ["hello_multiplier", "ip", "ip6"],
  ospf: ["ip", "network_type"],
  bgp: [],
};

/** `proxmox_sdn_fabric_node`. Server side: pve-network `src/PVE/API2/Network/SDN/Fabrics/FabricNode.pm`, proxmox-ve-rs. */
export const sdnFabricNode = defineCrud({
  type: "proxmox_sdn_fabric_node",
  subcategory: "SDN",
  doc: "A node in an SDN fabric, with its address and its interfaces. All changes of a run to the SDN take effect together, with one commit.",
  noun: "node of an SDN fabric",
  path,
  file: "SDN",
  identity: ["fabric", "node"],
  alwaysSent: ["protocol"],
  isDeleteRepeated: true,
  movedFrom: fabricNodesMovedFrom,
  ...staged,
  find: findIn(path, "node_id"),
  async listAll(api, signal) {
    return editedObjects((await api.sdn.listFabrics({ signal })).nodes);
  },
  attributes: {
    fabric: {
      type: string(),
      mode: "required",
      wire: "fabric_id",
      refers: "fabric",
      replace: true,
      doc: "The fabric.",
    },
    node: { type: string(), mode: "required", wire: "node_id", refers: "node", replace: true, doc: "The node." },
    protocol: {
      type: oneOf(["openfabric", "ospf", "bgp"]),
      mode: "required",
      wire: "protocol",
      replace: true,
      doc: "Protocol of the fabric.",
    },
    ip: {
      type: string({ check: ipAddress }),
      mode: "optional",
      wire: "ip",
      doc: "IPv4 address of the node, in the prefix of the fabric.",
    },
    ip6: {
      type: string({ check: ipAddress }),
      mode: "optional",
      wire: "ip6",
      doc: "IPv6 address of the node, in the prefix of the fabric.",
    },
    asn: {
      type: int({ min: 1, max: 4_294_967_295 }),
      mode: "optional",
      wire: "asn",
      // PVE wants to know that the node is one of the cluster.
      custom: { patch: (node, asn) => (asn === null ? undefined : node.set("role", "internal")) },
      doc: "Number of the autonomous system of the node, for `bgp`, where it must be given. Since Proxmox VE 9.1.15.",
    },
    interfaces: {
      type: map(
        nested(
          {
            hello_multiplier: {
              type: int({ min: 2, max: 100 }),
              mode: "optional",
              doc: "How many hellos may be missing before a neighbour counts as down; OpenFabric only. Left out: 10.",
            },
            ip: {
              type: string({ check: addressWithPrefix(4) }),
              mode: "optional",
              doc: "IPv4 address with the length of the prefix. Left out: unnumbered.",
            },
            ip6: {
              type: string({ check: addressWithPrefix(6) }),
              mode: "optional",
              doc: "IPv6 address with the length of the prefix; OpenFabric only.",
            },
            network_type: {
              type: oneOf(["broadcast", "non-broadcast", "point-to-multipoint", "point-to-point"]),
              mode: "optional",
              doc: "How OSPF treats the network of the interface. Since Proxmox VE 9.1.12. Left out: as FRR does for its kind.",
            },
          },
          { mayBeEmpty: true },
        ),
        { min: 1, keys: interfaceName },
      ),
      mode: "optional",
      wire: "interfaces",
      repeated: true,
      as: interfaces,
      doc: "Interfaces that connect the node, by name. An interface is in one fabric only.",
    },
    ...sdnAttributes,
  },
  plan: planFabricNode,

  validate({ config: { protocol, asn, interfaces }, report }) {
    if (protocol === undefined) return;
    const isBgp = protocol === "bgp";
    if (isBgp && asn === null) {
      report.error("asn", "Number needed", "A node of a BGP fabric has an autonomous system of its own: give `asn`.");
    }
    if (!isBgp && typeof asn === "number") report.error("asn", "Not for this protocol", "`asn` is for `bgp`.");
    const known = interfaceMembers[protocol] ?? [];
    for (const [name, one] of Object.entries(interfaces ?? {})) {
      const wrong = Object.entries(one ?? {}).find(([member, value]) => value != null && !known.includes(member));
      if (wrong === undefined) continue;
      const detail = `An interface of \`${protocol}\` has ${known.length === 0 ? "no options" : known.map((member) => `\`${member}\``).join(", ")}.`;
      report.error(["interfaces", name, wrong[0]], "Not for this protocol", detail);
    }
  },
});
