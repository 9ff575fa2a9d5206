import { bpg, type Predecessor } from "#kit";

const common = {
  ...{ node: "node_name", name: "name", mtu: "mtu", autostart: "autostart", comment: "comment" },
  ...{ "ipv4.address": "address", "ipv4.gateway": "gateway" },
  ...{ "ipv6.address": "address6", "ipv6.gateway": "gateway6" },
} as const;

/** bpg has a type for each type of interface. Which VLANs a bridge carries is left to the refresh: it stores the default, too. */
export const interfacesMovedFrom: readonly Predecessor[] = [
  bpg("network_linux_bridge", {
    ...common,
    bridge: () => ({}),
    "bridge.ports": "ports",
    "bridge.vlan_aware": (old) => (old.flag("vlan_aware") ? true : undefined),
  }),
  bpg("network_linux_bond", {
    ...common,
    ...{ "bond.slaves": "slaves", "bond.mode": "bond_mode", "bond.primary": "bond_primary" },
    "bond.hash_policy": "bond_xmit_hash_policy",
  }),
  bpg("network_linux_vlan", { ...common, "vlan.raw_device": "interface", "vlan.id": "vlan" }),
];
