import { bool, int, matches, nested, oneOf, set, string } from "#kit";
import { ipAddress } from "./addresses.ts";

const flag = (wire: string, doc: string) => ({ type: bool(), mode: "optional", wire, doc }) as const;

const bridge = {
  type: string({ check: matches(/^[A-Za-z][\w.-]{0,14}$/, "the name of a bridge, such as `vmbr0`") }),
  mode: "required",
  wire: "bridge",
  doc: "Bridge that carries the VLANs. It must exist on each node of the zone, whether or not it is VLAN aware.",
} as const;

const noLearning = flag(
  "bridge-disable-mac-learning",
  "Whether the bridges of the vnets learn no MAC addresses: only those of guests are known. Left out: `false`.",
);

const port = {
  type: int({ min: 1, max: 65_535 }),
  mode: "optional",
  wire: "vxlan-port",
  doc: "UDP port of VXLAN. Left out: 4789.",
} as const;

const given = "Exactly one of `simple`, `vlan`, `qinq`, `vxlan` and `evpn` must be given.";

/** One attribute for each type of zone; exactly one of them is given. */
export const zoneTypes = {
  simple: {
    type: nested(
      {
        dhcp: {
          type: oneOf(["dnsmasq"]),
          mode: "optional",
          wire: "dhcp",
          doc: "`dnsmasq` serves DHCP in the subnets that have ranges; the package must be installed on the nodes. Left out: no DHCP.",
        },
      },
      { mayBeEmpty: true },
    ),
    mode: "optional",
    doc: `An isolated bridge on each node, with routing and SNAT by subnets. ${given}`,
  },
  vlan: {
    type: nested({ bridge, disable_mac_learning: noLearning }),
    mode: "optional",
    doc: "A VLAN of a bridge for each vnet.",
  },
  qinq: {
    type: nested({
      bridge,
      service_vlan: {
        type: int({ min: 1, max: 4096 }),
        mode: "required",
        wire: "tag",
        doc: "Outer VLAN (S-VLAN) that carries the VLANs of the vnets.",
      },
      service_vlan_protocol: {
        type: oneOf(["802.1q", "802.1ad"]),
        mode: "optional",
        wire: "vlan-protocol",
        doc: "Protocol of the outer VLAN. Left out: `802.1q`.",
      },
      disable_mac_learning: noLearning,
    }),
    mode: "optional",
    doc: "VLANs inside an outer VLAN of a bridge (802.1ad).",
  },
  vxlan: {
    type: nested({
      peers: {
        type: set(string({ check: ipAddress }), { min: 1 }),
        mode: "optional",
        wire: "peers",
        doc: "IP addresses of all nodes of the zone. Exactly one of `peers` and `fabric` must be given.",
      },
      fabric: {
        type: string(),
        mode: "optional",
        wire: "fabric",
        refers: "fabric",
        doc: "SDN fabric whose members are the peers.",
      },
      port,
    }),
    mode: "optional",
    doc: "A layer-2 network between the nodes, over UDP.",
  },
  evpn: {
    type: nested({
      controller: {
        type: string(),
        mode: "required",
        wire: "controller",
        refers: "controller",
        doc: "EVPN controller, a `proxmox_sdn_controller`.",
      },
      secondary_controllers: {
        type: set(string(), { min: 1 }),
        mode: "optional",
        wire: "secondary-controllers",
        repeated: true,
        refers: "controller",
        doc: "Further EVPN controllers that announce the networks of the zone. Since Proxmox VE 9.1.12. Left out: none.",
      },
      vrf_vxlan: {
        type: int({ min: 1, max: 16_777_215 }),
        mode: "required",
        wire: "vrf-vxlan",
        doc: "VXLAN identifier of the routing between the vnets; no other zone and no vnet may have it.",
      },
      mac: {
        type: string(),
        mode: "computed",
        keep: true,
        wire: "mac",
        doc: "MAC address of the gateway on all nodes, which Proxmox VE generates.",
      },
      exit_nodes: {
        type: set(string(), { min: 1 }),
        mode: "optional",
        wire: "exitnodes",
        refers: "node",
        doc: "Nodes that route to the outside.",
      },
      primary_exit_node: {
        type: string(),
        mode: "optional",
        wire: "exitnodes-primary",
        refers: "node",
        doc: "Exit node that is used first.",
      },
      exit_nodes_local_routing: flag(
        "exitnodes-local-routing",
        "Whether exit nodes reach guests of the zone themselves. Left out: `false`.",
      ),
      advertise_subnets: flag(
        "advertise-subnets",
        "Whether whole subnets are announced, for guests that send nothing. Left out: `false`.",
      ),
      disable_arp_nd_suppression: flag(
        "disable-arp-nd-suppression",
        "Whether nodes leave ARP and ND requests to the guests. Left out: `false`.",
      ),
      disable_mac_learning: noLearning,
      rt_import: {
        type: set(string({ check: matches(/^\d+:\d+$/, "a route target such as `65000:1000`") }), { min: 1 }),
        mode: "optional",
        wire: "rt-import",
        doc: "Route targets of other EVPN networks to import.",
      },
      port,
    }),
    mode: "optional",
    doc: "Routed networks between the nodes with BGP-EVPN.",
  },
} as const;

export const zoneTypeNames = ["simple", "vlan", "qinq", "vxlan", "evpn"] as const;
