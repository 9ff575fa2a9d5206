import { bool, type ConditionalReplacement, defineCrud, each, int, map, matches, nested, string } from "#kit";
import { networkAddress } from "./addresses.ts";
import { fabricsMovedFrom } from "./moved-from.ts";
import { listName } from "./names.ts";
import { planFabric } from "./plan-fabric.ts";
import { findIn, sdnAttributes, staged } from "./staged.ts";

const path = "/cluster/sdn/fabrics/fabric/{id}";

/** PVE changes a prefix and has no way to remove it. */
const removal: ConditionalReplacement = { when: "if it is removed", decide: ({ planned }) => planned === null };

const seconds = (wire: string, doc: string) =>
  ({ type: int({ min: 1, max: 600 }), mode: "optional", wire, doc }) as const;

const routeFilter = {
  type: string({ check: listName }),
  mode: "optional",
  wire: "route_filter",
  refers: "prefix_list",
  doc: "Prefix list with the routes that go into the routing table of the nodes. Since Proxmox VE 9.1.11. Left out: those of the prefixes of the fabric.",
} as const;

interface Redistributed {
  readonly route_map?: string | null;
}

/** `source=static,route-map=to-peers`, by source. */
const sources = each<Readonly<Record<string, Redistributed>>>({
  parse: (items) =>
    Object.fromEntries(
      items.map((item) => {
        const parts = Object.fromEntries(item.split(",").map((part) => part.split("=", 2) as [string, string]));
        return [parts["source"] ?? "", { route_map: parts["route-map"] ?? null }];
      }),
    ),
  print: (all) =>
    Object.entries(all).map(([source, { route_map: name }]) =>
      name ? `source=${source},route-map=${name}` : `source=${source}`,
    ),
});

const redistribute = (form: RegExp, names: string) =>
  ({
    type: map(
      nested(
        {
          route_map: {
            type: string({ check: listName }),
            mode: "optional",
            doc: "Route map that filters and changes them. Left out: all are announced as they are.",
          },
        },
        { mayBeEmpty: true },
      ),
      { min: 1, keys: matches(form, names) },
    ),
    mode: "optional",
    wire: "redistribute",
    repeated: true,
    as: sources,
    doc: `Other routes of the nodes that the fabric announces, by their source: ${names}. Since Proxmox VE 9.1.12. Left out: none.`,
  }) as const;

const routeMap = (wire: "route_map_in" | "route_map_out", doc: string) =>
  ({ type: string({ check: listName }), mode: "optional", wire, doc }) as const;

/** `proxmox_sdn_fabric`. Server side: pve-network `src/PVE/API2/Network/SDN/Fabrics/Fabric.pm`, proxmox-ve-rs. */
export const sdnFabric = defineCrud({
  type: "proxmox_sdn_fabric",
  subcategory: "SDN",
  doc: "A routed network between the nodes, which VXLAN and EVPN use: OpenFabric, OSPF or BGP. Its members are `proxmox_sdn_fabric_node`; destroying the fabric removes them, too. All changes of a run to the SDN take effect together, with one commit.",
  noun: "SDN fabric",
  path,
  file: "SDN",
  identity: ["id"],
  variants: { names: ["openfabric", "ospf", "bgp"], option: "protocol" },
  isTypeRepeated: true,
  isDeleteRepeated: true,
  plannedAs: "fabric",
  movedFrom: fabricsMovedFrom,
  ...staged,
  find: findIn(path, "id"),
  attributes: {
    id: {
      type: string({
        check: matches(/^[A-Za-z0-9][A-Za-z0-9-]{0,6}[A-Za-z0-9]$/, "2 to 8 letters, digits and `-`"),
      }),
      mode: "required",
      wire: "id",
      replace: true,
      doc: "Name of the fabric, of 2 to 8 characters.",
    },
    ip_prefix: {
      type: string({ check: networkAddress }),
      mode: "optional",
      wire: "ip_prefix",
      replace: removal,
      doc: "IPv4 network of the addresses of its nodes, such as `10.0.0.0/24`. Fabrics must not overlap.",
    },
    ip6_prefix: {
      type: string({ check: networkAddress }),
      mode: "optional",
      wire: "ip6_prefix",
      replace: removal,
      doc: "IPv6 network of the addresses of its nodes; OSPF has none.",
    },
    openfabric: {
      type: nested(
        {
          hello_interval: seconds("hello_interval", "Seconds between two hellos. Left out: 3."),
          csnp_interval: seconds("csnp_interval", "Seconds between two summaries of the routes. Left out: 10."),
          route_filter: routeFilter,
        },
        { mayBeEmpty: true },
      ),
      mode: "optional",
      doc: "OpenFabric. Exactly one of `openfabric`, `ospf` and `bgp` must be given.",
    },
    ospf: {
      type: nested({
        area: {
          type: string({ check: matches(/^(\d{1,10}|\d{1,3}(\.\d{1,3}){3})$/, "a number or an IPv4 address") }),
          mode: "required",
          wire: "area",
          doc: "OSPF area, a number or in the form of an IPv4 address; each fabric has its own.",
        },
        route_filter: routeFilter,
        redistribute: redistribute(/^(?:bgp|connected|kernel|static)$/, "`bgp`, `connected`, `kernel` or `static`"),
      }),
      mode: "optional",
      doc: "OSPF.",
    },
    bgp: {
      type: nested(
        {
          bfd: {
            type: bool(),
            // PVE does not take it in `delete`.
            mode: "optional_computed",
            keep: true,
            absent: false,
            wire: "bfd",
            doc: "Whether BFD watches the neighbours, to notice a failure within a second. Left out: `false` for a new one; otherwise it stays as it is.",
          },
          route_filter: routeFilter,
          redistribute: redistribute(/^(?:connected|kernel|ospf|static)$/, "`connected`, `kernel`, `ospf` or `static`"),
          route_map_in: routeMap("route_map_in", "Route map for routes that neighbours announce."),
          route_map_out: routeMap("route_map_out", "Route map for routes that are announced to neighbours."),
        },
        { mayBeEmpty: true },
      ),
      mode: "optional",
      doc: "BGP between nodes, each in its own autonomous system. It excludes BGP controllers. Since Proxmox VE 9.1.15.",
    },
    ...sdnAttributes,
  },

  plan: planFabric,

  validate({ config, report }) {
    const { ip_prefix, ip6_prefix, ospf } = config;
    if (ip_prefix === null && ip6_prefix === null) {
      report.error(
        "ip_prefix",
        "Prefix needed",
        "A fabric needs a network for the addresses of its nodes: give `ip_prefix` or `ip6_prefix`.",
      );
    }
    if (ospf && ip6_prefix) {
      report.error(
        "ip6_prefix",
        "No IPv6 in OSPF",
        "Proxmox VE has OSPF for IPv4 only: use `openfabric`, or leave `ip6_prefix` out.",
      );
    }
  },
});
