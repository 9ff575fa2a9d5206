import type { Row } from "./row.ts";

/** Physical interfaces and Open vSwitch, which the default seed does not have. */
const prepare: NonNullable<Row["prepare"]> = ({ nodes }) => {
  const host = nodes["pve1"];
  if (host === undefined) return;
  host.hasOpenVSwitch = true;
  host.nics = ["eth0", "eth1", "eth2", "eth3"];
  for (const nic of host.nics) {
    host.interfaces[nic] ??= { type: "eth", exists: 1, method: "manual", method6: "manual", families: ["inet"] };
  }
  for (const name of ["vmbr9", "vmbr10"]) {
    host.interfaces[name] ??= { type: "OVSBridge", ovs_type: "OVSBridge", method: "manual", families: ["inet"] };
  }
};

const node = "pve1";
const common: Row["values"] = {
  mtu: [1400, 1300],
  autostart: [false, true],
  comment: ["first", "second one"],
};

export const interfaceRow: Row = {
  type: "proxmox_network_interface",
  prepare,
  // A physical interface is always there: test/contract/network/interfaces.test.ts.
  apart: ["ovs_port.bridge", "ovs_port.vlan", "ovs_port.options"],
  base: {
    ...{ node, name: "vmbr7", ipv4: { address: "10.7.0.1/24" }, ipv6: { address: "fd00:7::1/64" } },
    bridge: { vlan_aware: true },
  },
  values: {
    ...common,
    "ipv4.address": ["10.7.0.2/24", "10.8.0.1/16"],
    "ipv6.address": ["fd00:7::2/64", "fd00:8::1/48"],
    "ipv6.gateway": ["fd00:7::ff", "fd00:7::fe"],
    "bridge.ports": [["eth1"], ["eth2", "eth1"]],
    "bridge.vlan_aware": [false, true],
  },
  others: [
    {
      base: { node, name: "vmbr3", bridge: { vlan_aware: true } },
      values: { "bridge.vids": [["10", "20-29"], ["30"]] },
    },
    {
      base: { node: "pve2", name: "vmbr8", ipv4: { address: "10.7.0.1/24" }, bridge: {} },
      values: { "ipv4.gateway": ["10.7.0.254", "10.7.0.253"] },
      prepare: ({ nodes }) => {
        delete nodes["pve2"]?.interfaces["vmbr0"]?.["gateway"];
      },
    },
    {
      base: { node, name: "bond7", bond: { slaves: ["eth1"], mode: "802.3ad" } },
      values: {
        "bond.slaves": [["eth2"], ["eth1", "eth2"]],
        "bond.mode": ["balance-rr", "balance-xor"],
      },
    },
    {
      base: { node, name: "bond9", bond: { slaves: ["eth1"], mode: "802.3ad" } },
      values: { "bond.hash_policy": ["layer3+4", "layer2+3"] },
    },
    {
      base: { node, name: "bond8", bond: { slaves: ["eth1", "eth2"], mode: "active-backup" } },
      values: { "bond.primary": ["eth1", "eth2"] },
    },
    { base: { node, name: "eth1.20", vlan: {} }, values: { mtu: [1400, 1300] } },
    { base: { node, name: "vlan30", vlan: { raw_device: "eth1" } }, values: { comment: ["first", "second"] } },
    { base: { node, name: "storage", vlan: { raw_device: "eth1", id: 40 } }, values: { comment: ["first", "second"] } },
    {
      base: { node, name: "vmbr6", ovs_bridge: {} },
      values: {
        "ovs_bridge.ports": [["eth2"], ["eth3", "eth2"]],
        "ovs_bridge.options": ["other_config:stp=1", "other_config:stp=0"],
      },
    },
    {
      base: { node, name: "bond6", ovs_bond: { bridge: "vmbr9", slaves: ["eth2"], mode: "balance-slb" } },
      values: {
        "ovs_bond.slaves": [["eth3"], ["eth2", "eth3"]],
        "ovs_bond.mode": ["lacp-balance-tcp", "active-backup"],
        "ovs_bond.vlan": [20, 30],
        "ovs_bond.options": ["other_config:lacp-time=fast", "other_config:lacp-time=slow"],
      },
    },
    {
      base: { node, name: "mgmt", ovs_int_port: { bridge: "vmbr9" } },
      values: {
        "ovs_int_port.vlan": [20, 30],
        "ovs_int_port.options": ["vlan_mode=access", "vlan_mode=trunk"],
      },
    },
  ],
};
