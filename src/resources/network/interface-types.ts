import { bondModes, bool, int, matches, nested, oneOf, set, string } from "#kit";

export const interfaceName = matches(
  /^[A-Za-z][\w-]{0,19}([.:]\d+)?$/,
  "the name of an interface, such as `vmbr0`, `bond0`, `eno1` or `eno1.20`",
);

const member = string({ check: interfaceName });

const vlanRange = (text: string): string | undefined => {
  const [, first = "", last = first] = /^(\d+)(?:-(\d+))?$/.exec(text) ?? [];
  const [low, high] = [Number(first), Number(last)];
  return first !== "" && low >= 1 && low <= high && high <= 4094
    ? undefined
    : "Must be a VLAN from 1 to 4094, or a range such as `20-29`.";
};

const everyVlan = "2-4094";

const given =
  "Exactly one of `bridge`, `bond`, `vlan`, `eth`, `ovs_bridge`, `ovs_bond`, `ovs_int_port` and `ovs_port` must be given.";

const ovsBridge = {
  type: member,
  mode: "required",
  wire: "ovs_bridge",
  doc: "Open vSwitch bridge that it belongs to.",
} as const;

/** PVE leaves the port in the list of its first bridge, and takes that for its bridge again when it writes the file. */
const ownOvsBridge = { ...ovsBridge, replace: true } as const;

const ovsVlan = {
  type: int({ min: 1, max: 4094 }),
  mode: "optional",
  wire: "ovs_tag",
  doc: "VLAN of the port. Left out: all.",
} as const;

const ovsOptions = {
  type: string({ check: matches(/^\S([^\n]{0,1022}\S)?$/, "one line of at most 1024 characters") }),
  mode: "optional",
  wire: "ovs_options",
  doc: "Further options of Open vSwitch.",
} as const;

/** One attribute for each type of interface; exactly one of them is given. */
export const interfaceTypes = {
  bridge: {
    type: nested(
      {
        ports: {
          type: set(member, { min: 1 }),
          mode: "optional",
          wire: "bridge_ports",
          separator: " ",
          doc: "Interfaces in the bridge. Left out: none.",
        },
        vlan_aware: {
          type: bool(),
          mode: "optional",
          wire: "bridge_vlan_aware",
          // PVE takes any value of the option for yes.
          none: false,
          doc: "Whether guests can use VLANs of the bridge. Left out: `false`.",
        },
        vids: {
          type: set(string({ check: vlanRange }), { min: 1 }),
          mode: "optional",
          wire: "bridge_vids",
          as: {
            parse: (raw: unknown) => {
              const items = raw as readonly string[];
              return items.join() === everyVlan ? null : items;
            },
            print: (value: unknown) => value,
          },
          doc: "VLANs and ranges of VLANs that a VLAN-aware bridge carries. Left out: all, `2-4094`.",
        },
      },
      { mayBeEmpty: true },
    ),
    mode: "optional",
    doc: `A Linux bridge. ${given}`,
  },
  bond: {
    type: nested({
      slaves: {
        type: set(member, { min: 1 }),
        mode: "required",
        wire: "slaves",
        separator: " ",
        doc: "Interfaces of the bond.",
      },
      mode: {
        type: oneOf(bondModes),
        mode: "required",
        wire: "bond_mode",
        doc: "How the interfaces share the load; `802.3ad` is LACP.",
      },
      hash_policy: {
        type: oneOf(["layer2", "layer2+3", "layer3+4"]),
        mode: "optional",
        wire: "bond_xmit_hash_policy",
        doc: "What decides which interface is used, for `balance-xor` and `802.3ad`. Left out: `layer2`.",
      },
      primary: {
        type: member,
        mode: "optional",
        wire: "bond-primary",
        doc: "Interface that is used first, for `active-backup`.",
      },
    }),
    mode: "optional",
    doc: "A Linux bond. Its name is `bond` and a number.",
  },
  vlan: {
    type: nested(
      {
        raw_device: {
          type: member,
          mode: "optional_computed",
          keep: true,
          replace: true,
          wire: "vlan-raw-device",
          doc: "Interface that carries the VLAN. Left out: what the name says, such as `eno1` in `eno1.20`.",
        },
        id: {
          type: int({ min: 1, max: 4094 }),
          mode: "optional_computed",
          keep: true,
          replace: true,
          wire: "vlan-id",
          doc: "The VLAN. Left out: what the name says, such as 20 in `eno1.20` or `vlan20`.",
        },
      },
      { mayBeEmpty: true },
    ),
    mode: "optional",
    doc: "A Linux VLAN.",
  },
  eth: {
    type: nested({}, { mayBeEmpty: true }),
    mode: "optional",
    doc: "A physical interface. It is always there: creating the resource takes it over, and destroying it removes its settings.",
  },
  ovs_bridge: {
    type: nested(
      {
        ports: {
          type: set(member, { min: 1 }),
          mode: "optional",
          wire: "ovs_ports",
          separator: " ",
          doc: "Interfaces in the bridge. Left out: none.",
        },
        options: ovsOptions,
      },
      { mayBeEmpty: true },
    ),
    mode: "optional",
    doc: "A bridge of Open vSwitch, which must be installed on the node.",
  },
  ovs_bond: {
    type: nested({
      bridge: ownOvsBridge,
      slaves: {
        type: set(member, { min: 1 }),
        mode: "required",
        wire: "ovs_bonds",
        separator: " ",
        doc: "Interfaces of the bond.",
      },
      mode: {
        type: oneOf(["active-backup", "balance-slb", "lacp-balance-slb", "lacp-balance-tcp"]),
        mode: "required",
        wire: "bond_mode",
        doc: "How the interfaces share the load.",
      },
      vlan: ovsVlan,
      options: ovsOptions,
    }),
    mode: "optional",
    doc: "A bond of Open vSwitch.",
  },
  ovs_int_port: {
    type: nested({ bridge: ownOvsBridge, vlan: ovsVlan, options: ovsOptions }),
    mode: "optional",
    doc: "An internal port of Open vSwitch: an interface of the node in a bridge.",
  },
  ovs_port: {
    type: nested({ bridge: ovsBridge, vlan: ovsVlan, options: ovsOptions }),
    mode: "optional",
    doc: "A physical interface as a port of Open vSwitch, for its VLAN and options; `ports` of the bridge names it, too. It is always there: creating the resource takes it over, and destroying it removes its settings.",
  },
} as const;

export const interfaceTypeNames = [
  ...["bridge", "bond", "vlan", "eth", "ovs_bridge", "ovs_bond", "ovs_int_port", "ovs_port"],
] as readonly (keyof typeof interfaceTypes)[];

/** Interfaces that the node has anyway. */
export const isPhysical = (kind: string | null): boolean => kind === "eth" || kind === "ovs_port";

/** PVE's names of the types. */
export const wireTypes = {
  ovs_bridge: "OVSBridge",
  ovs_bond: "OVSBond",
  ovs_int_port: "OVSIntPort",
  ovs_port: "OVSPort",
} as const;

/** PVE keeps what a change does not name, but for the addresses: each change names everything. */
export const everyOption = [
  ...["cidr", "cidr6", "gateway", "gateway6", "mtu", "autostart", "comments"],
  ...[
    "bridge_ports",
    "bridge_vlan_aware",
    "bridge_vids",
    "slaves",
    "bond_mode",
    "bond_xmit_hash_policy",
    "bond-primary",
  ],
  ...["vlan-raw-device", "vlan-id", "ovs_ports", "ovs_options", "ovs_bridge", "ovs_bonds", "ovs_tag"],
];
