import { bool, defineCrud, int, matches, nested, oneLine, oneOf, set, string } from "#kit";
import { ipAddress } from "./addresses.ts";
import { controllersMovedFrom } from "./moved-from.ts";
import { interfaceName, listName } from "./names.ts";
import { findIn, sdnAttributes, staged } from "./staged.ts";

const path = "/cluster/sdn/controllers/{controller}";

const flag = (wire: string, doc: string) => ({ type: bool(), mode: "optional", wire, doc }) as const;

const asn = {
  type: int({ min: 0, max: 4_294_967_295 }),
  mode: "required",
  wire: "asn",
  doc: "Number of the autonomous system.",
} as const;

const peers = {
  type: set(string({ check: ipAddress }), { min: 1 }),
  wire: "peers",
  doc: "IP addresses of the peers.",
} as const;

const node = {
  type: string(),
  mode: "required",
  wire: "node",
  refers: "node",
  doc: "Node that the controller runs on.",
} as const;

const routeMap = (wire: "route-map-in" | "route-map-out", doc: string) =>
  ({
    type: string({ check: listName }),
    mode: "optional",
    wire,
    doc: `${doc} It needs an entry: refer to \`route_map\` of a \`proxmox_sdn_route_map_entry\`. Since Proxmox VE 9.1.11.`,
  }) as const;

const routeMaps = {
  route_map_in: routeMap("route-map-in", "Route map for routes that peers announce."),
  route_map_out: routeMap("route-map-out", "Route map for routes that are announced to peers."),
} as const;

const ebgpMultihop = {
  type: int({ min: 1, max: 255 }),
  mode: "optional",
  wire: "ebgp-multihop",
  doc: "How many hops away a peer may be. Left out: 1.",
} as const;

const loopback = {
  type: string({ check: interfaceName }),
  mode: "optional",
  wire: "loopback",
  doc: "Interface whose address is the source of the sessions. Left out: the one that reaches the peers.",
} as const;

/** `proxmox_sdn_controller`. Server side: pve-network `src/PVE/API2/Network/SDN/Controllers.pm`. */
export const sdnController = defineCrud({
  type: "proxmox_sdn_controller",
  subcategory: "SDN",
  doc: "A routing controller of the SDN: BGP-EVPN for `evpn` zones (one in the cluster before Proxmox VE 9.1.12), or BGP or IS-IS of one node. FRR must be installed on the nodes. All changes of a run to the SDN take effect together, with one commit.",
  noun: "SDN controller",
  path,
  file: "SDN",
  identity: ["id"],
  variants: { names: ["evpn", "bgp", "isis"] },
  plannedAs: "controller",
  movedFrom: controllersMovedFrom,
  ...staged,
  find: findIn(path, "controller"),
  attributes: {
    id: {
      type: string({
        check: matches(/^[A-Za-z][\w-]{0,62}[A-Za-z0-9]$/, "a letter, then letters, digits, `-` or `_`"),
      }),
      mode: "required",
      wire: "controller",
      replace: true,
      doc: "Name of the controller.",
    },
    evpn: {
      type: nested({
        asn,
        peers: {
          ...peers,
          mode: "optional",
          doc: "IP addresses of all nodes. Exactly one of `peers` and `fabric` must be given.",
        },
        fabric: {
          type: string(),
          mode: "optional",
          wire: "fabric",
          refers: "fabric",
          doc: "SDN fabric whose members are the peers.",
        },
        nodes: {
          type: set(string(), { min: 1 }),
          mode: "optional",
          wire: "nodes",
          refers: "node",
          doc: "Nodes that the controller runs on. Controllers on one node have the same `asn`. Since Proxmox VE 9.1.12. Left out: all.",
        },
        peer_group: {
          type: string({ check: matches(/^[A-Za-z][\w-]+$/, "a letter, then letters, digits, `-` or `_`") }),
          mode: "optional",
          wire: "peer-group-name",
          doc: "Name of the group of peers in FRR; each EVPN controller has its own. Since Proxmox VE 9.1.12. Left out: `VTEP`.",
        },
        bgp_mode: {
          type: oneOf(["auto", "external", "internal"]),
          mode: "optional",
          wire: "bgp-mode",
          doc: "Whether peers are in the same autonomous system: `internal`, `external`, or `auto` (as the BGP controller of the node says, otherwise internal). Since Proxmox VE 9.1.12. Left out: `auto`.",
        },
        ebgp_multihop: {
          ...ebgpMultihop,
          doc: 'How many hops away a peer may be, with `bgp_mode = "external"`. Since Proxmox VE 9.1.12. Left out: 1.',
        },
        ...routeMaps,
      }),
      mode: "optional",
      doc: "BGP-EVPN between the nodes. Exactly one of `evpn`, `bgp` and `isis` must be given.",
    },
    bgp: {
      type: nested({
        node,
        asn,
        peers: { ...peers, mode: "required" },
        ebgp: flag("ebgp", "Whether the peers are in other autonomous systems. Left out: `false`."),
        ebgp_multihop: ebgpMultihop,
        multipath_as_path_relax: flag(
          "bgp-multipath-as-path-relax",
          "Whether paths of different autonomous systems share the load. Left out: `false`.",
        ),
        loopback,
        ...routeMaps,
      }),
      mode: "optional",
      doc: "BGP of one node.",
    },
    isis: {
      type: nested({
        node,
        domain: { type: oneLine, mode: "required", wire: "isis-domain", doc: "Name of the domain." },
        net: {
          type: string({
            check: matches(
              /^[a-f0-9]{2}(\.[a-f0-9]{4}){3,9}\.[a-f0-9]{2}$/i,
              "a network entity title such as `49.0001.1921.6800.1002.00`",
            ),
          }),
          mode: "required",
          wire: "isis-net",
          doc: "Network entity title of the node.",
        },
        interfaces: {
          type: set(string({ check: interfaceName }), { min: 1 }),
          mode: "required",
          wire: "isis-ifaces",
          doc: "Interfaces that take part.",
        },
        loopback,
      }),
      mode: "optional",
      doc: "IS-IS of one node.",
    },
    ...sdnAttributes,
  },

  validate({ config: { evpn }, report }) {
    if (!evpn || evpn.peers === undefined || evpn.fabric === undefined) return;
    if ((evpn.peers === null) !== (evpn.fabric === null)) return;
    const detail = "An EVPN controller needs its peers: give exactly one of `peers` and `fabric`.";
    report.error("evpn", "Exactly one of peers and fabric", detail);
  },
});
