import {
  bool,
  defineDataSource,
  found,
  glob,
  inOrder,
  isGranted,
  list,
  map,
  nested,
  nodesToAsk,
  nullable,
  oneOf,
  type Permissions,
  permissionsOf,
  type Session,
  string,
} from "#kit";
import type { NetworkInterface } from "#pve";

/** Bridges of the hosts have no zone of their own in PVE's configuration, but one in its permissions. */
const hostZone = "localnetwork";

const kinds: Readonly<Record<string, "bridge" | "ovs_bridge" | "vnet">> = {
  bridge: "bridge",
  OVSBridge: "ovs_bridge",
  vnet: "vnet",
};

/** `proxmox_networks`. Server side: pve-manager `PVE/API2/Network.pm`, `index`. */
export const networksData = defineDataSource({
  type: "proxmox_networks",
  subcategory: "Cluster",
  doc: "What network cards of VMs can be connected to: bridges of the nodes and vnets of the software-defined network. Only those the caller may use are listed, which takes `SDN.Use` on `/sdn/zones/<zone>/<name>`, or on some VLAN below it. Nodes that are offline cannot be asked.",
  attributes: {
    node: {
      type: string(),
      mode: "optional",
      doc: "Only networks of this node. Not given: of every node that is online.",
    },
    type: {
      type: oneOf(["bridge", "ovs_bridge", "vnet"]),
      mode: "optional",
      doc: "Only Linux bridges (`bridge`), Open vSwitch bridges (`ovs_bridge`), or vnets (`vnet`).",
    },
    name: {
      type: string(),
      mode: "optional",
      doc: "Only networks of this name; `*` and `?` stand for any characters, any one character.",
    },
    names: found(list(string()), "Names of the networks found, each once, in alphabetical order."),
    nodes: found(map(list(string())), "Nodes on which each network was found, by its name."),
    networks: found(
      list(
        nested({
          name: found(string(), "Name, as `proxmox_vm` takes it for `bridge`."),
          node: found(string(), "Node it is on. A vnet is listed once for each node."),
          type: found(string(), "`bridge`, `ovs_bridge` or `vnet`."),
          zone: found(
            nullable(string()),
            "Zone: `localnetwork` for bridges; null for a vnet whose zone the caller may not see.",
          ),
          active: found(bool(), "Whether it is up."),
          vlan_aware: found(
            bool(),
            "Whether cards on it can have VLANs of their own. Open vSwitch bridges always are.",
          ),
          vlan_only: found(bool(), "Whether the caller may use only certain VLANs on it."),
          cidr: found(nullable(string()), "IPv4 address of the node on it, with the length of the prefix."),
          cidr6: found(nullable(string()), "IPv6 address of the node on it, with the length of the prefix."),
          comment: found(nullable(string()), "Comment; of a vnet, its alias."),
        }),
      ),
      "The networks, ordered by name, then by node.",
    ),
  },

  async read({ api, config, signal }) {
    const nodes = await nodesToAsk(api, config.node);
    const isNamed = config.name === null ? () => true : glob(config.name);
    const listed = await Promise.all(
      nodes.map(async (node) =>
        (await api.network.list(node, "any_bridge", { signal })).map((one) => describe(one, node)),
      ),
    );
    const wanted = listed
      .flat()
      .filter(({ name, type }) => isNamed(name) && (config.type === null || type === config.type));
    const networks = inOrder(await judge(api, wanted, signal), ({ name, node }) => [name, node]);
    const names = [...new Set(networks.map(({ name }) => name))];
    const nodesOf = (wantedName: string) => networks.filter(({ name }) => name === wantedName).map(({ node }) => node);
    return { names, nodes: Object.fromEntries(names.map((name) => [name, nodesOf(name)])), networks };
  },
});

function describe(network: NetworkInterface, node: string) {
  const type = kinds[network.type] ?? "bridge";
  return {
    name: network.iface ?? "",
    node,
    type,
    active: network.active ?? false,
    vlan_aware: type === "ovs_bridge" || (network.bridge_vlan_aware ?? network.vlanaware ?? false),
    cidr: network.cidr ?? null,
    cidr6: network.cidr6 ?? null,
    comment: network.comments?.trimEnd() || null,
  };
}

type Described = ReturnType<typeof describe>;

/**
 * Keeps what the caller may use: PVE also lists what it may merely see. A vnet that PVE lists here and hides among the
 * vnets, which takes SDN.Audit, is one it may use.
 */
async function judge(api: Session, networks: readonly Described[], signal: AbortSignal) {
  const permissions = await permissionsOf(api);
  const zones = networks.some(({ type }) => type === "vnet") ? await zonesOfVnets(api, signal) : null;
  return networks.flatMap((network) => {
    const { name, type } = network;
    const zone = type === "vnet" ? (zones?.get(name) ?? zoneInEntries(permissions, name)) : hostZone;
    const use = zone === null ? "all" : usable(permissions, `/sdn/zones/${zone}/${name}`);
    return use === "none" ? [] : [{ ...network, zone, vlan_only: use === "vlans" }];
  });
}

/** A caller with a privilege on the vnet itself sees its zone in the path. */
function zoneInEntries(permissions: Permissions, vnet: string): string | null {
  const places = Object.keys(permissions).map((path) => path.split("/"));
  return places.find(([, sdn, zones, , name]) => sdn === "sdn" && zones === "zones" && name === vnet)?.[3] ?? null;
}

/** `check_sdn_bridge` of pve-access-control's RPCEnvironment.pm: rights on the bridge, or on any VLAN that has an entry. */
function usable(permissions: Permissions, path: string): "all" | "vlans" | "none" {
  if (isGranted(permissions, path, "SDN.Use")) return "all";
  const vlans = Object.entries(permissions).filter(([at]) => at.startsWith(`${path}/`));
  return vlans.some(([, granted]) => "SDN.Use" in granted) ? "vlans" : "none";
}

async function zonesOfVnets(api: Session, signal: AbortSignal): Promise<ReadonlyMap<string, string>> {
  const vnets = await api.network.listVnets({ signal });
  return new Map(vnets.flatMap(({ vnet, zone }) => (zone === undefined ? [] : [[vnet, zone]])));
}
