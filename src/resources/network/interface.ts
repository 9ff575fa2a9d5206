import { bool, defineCrud, int, matches, nested, stagedAttributes, string } from "#kit";
import { cidrOf } from "./cidr.ts";
import {
  everyOption,
  interfaceName,
  interfaceTypeNames,
  interfaceTypes,
  isPhysical,
  wireTypes,
} from "./interface-types.ts";
import { interfacesMovedFrom } from "./moved-from.ts";
import { planInterface, planRemoval } from "./plan-interface.ts";
import { networkOf, nodeNetwork } from "./staged-network.ts";
import { validateInterface } from "./validate-interface.ts";

const path = "/nodes/{node}/network/{iface}";

const address = (version: 4 | 6) => {
  const suffix = version === 6 ? "6" : "";
  const example = version === 6 ? "fd00::10/64" : "192.168.1.10/24";
  return {
    type: nested({
      address: {
        type: string({ check: cidrOf(version) }),
        mode: "required",
        wire: `cidr${suffix}`,
        doc: `Address of the node on the interface, with the length of the prefix: \`${example}\`.`,
      },
      gateway: {
        type: string({ check: cidrOf(version, "plain") }),
        mode: "optional",
        wire: `gateway${suffix}`,
        doc: "Default gateway; one interface of a node has it.",
      },
    }),
    mode: "optional",
    doc: `IPv${version} of the node. Left out: none.`,
  } as const;
};

/** `proxmox_network_interface`. Server side: pve-manager `PVE/API2/Network.pm`, pve-common `src/PVE/Network/Interfaces.pm`. */
export const networkInterface = defineCrud({
  type: "proxmox_network_interface",
  subcategory: "Nodes",
  doc: "A network interface of a node: bridge, bond, VLAN, physical interface, or one of Open vSwitch. One object says of which type it is. All changes of a run to one node take effect together, with one reload of its network. A change that would cut the connection to the node is refused unless `allow_disconnect` is set.",
  noun: "network interface",
  path,
  file: "interfaces",
  identity: ["node", "name"],
  variants: { names: interfaceTypeNames, wire: wireTypes },
  plannedAs: "interface",
  otherwise: "Otherwise choose another `name`.",
  movedFrom: interfacesMovedFrom,
  alwaysSent: everyOption,
  isTypeRepeated: true,
  grants: { "/nodes": ["Sys.Audit", "Sys.Modify"], "/sdn/zones/localnetwork": ["SDN.Audit"] },
  // PVE leaves bridges out of the list for callers without it.
  needs: () => [{ privileges: ["SDN.Audit", "SDN.Use"], paths: ["/sdn/zones/localnetwork"], attribute: null }],
  staged: ({ node }) => nodeNetwork(String(node)),
  isTakenOver: isPhysical,
  async find(api, key, { purpose, signal }) {
    const { node = "", iface = "" } = key;
    if (purpose === "proof" || purpose === "create" || purpose === "update")
      return api.network.find(node, iface, { signal });
    const { interfaces, staged } = await networkOf(api, node);
    const found = interfaces.find((one) => one.iface === iface);
    if (found === undefined) return purpose === "plan" ? null : api.network.find(node, iface, { signal });
    const state = staged.get(iface);
    return { ...found, ...(state && { state }) };
  },
  async listAll(api, signal) {
    const { nodes, isOnline } = await api.inventory.snapshot();
    const listed = await Promise.all(
      [...nodes.keys()]
        .filter(isOnline)
        .map(async (node) =>
          (await api.network.listStaged(node, { signal })).interfaces.map((one) => ({ ...one, node })),
        ),
    );
    const types: readonly string[] = ["bridge", "bond", "vlan", "eth", ...Object.values(wireTypes)];
    return listed.flat().filter(({ type }) => types.includes(type));
  },
  attributes: {
    node: {
      type: string(),
      mode: "required",
      wire: "node",
      refers: "node",
      replace: true,
      doc: "Node of the interface.",
    },
    name: {
      type: string({ check: interfaceName }),
      mode: "required",
      wire: "iface",
      replace: true,
      doc: "Name of the interface, such as `vmbr1`, `bond0`, `eno1.20` or `vlan20`.",
    },
    ipv4: address(4),
    ipv6: address(6),
    mtu: {
      type: int({ min: 1280, max: 65_520 }),
      mode: "optional",
      wire: "mtu",
      doc: "MTU of the interface; those below it must have at least as much. Left out: 1500.",
    },
    autostart: {
      type: bool(),
      mode: "optional_computed",
      keep: true,
      wire: "autostart",
      none: false,
      absent: false,
      doc: "Whether the interface is brought up when the node starts. Left out: a new one is; otherwise it stays as it is.",
    },
    comment: {
      type: string({ check: matches(/^(?!0$)\S([^\n\r]*\S)?$/, "one line that is not blank, and not `0`") }),
      mode: "optional",
      wire: "comments",
      as: {
        parse: (raw: unknown) => String(raw).replace(/\n+$/, ""),
        print: (value: unknown) => value,
      },
      doc: "A comment.",
    },
    ...interfaceTypes,
    allow_disconnect: {
      type: bool(),
      mode: "optional",
      local: true,
      doc: "Whether a change may touch the address of the node or an interface that carries it, after which the node may not answer any more. Left out: `false`, and such a change is an error in the plan.",
    },
    ...stagedAttributes("the network of the node", "proxmox_network_apply"),
  },
  validate: validateInterface,
  plan: planInterface,
  planDelete: planRemoval,

  /** A physical interface stays; its settings go. As long as a bridge of Open vSwitch names it, it is a port of that. */
  async delete({ api, id, state, signal }, remove) {
    if (state.eth === null && state.ovs_port === null) return remove();
    const found = await api.network.find(id.node, id.name, { signal });
    if (found === null) return;
    const ofPort = state.ovs_port === null ? [] : ["ovs_type", "ovs_bridge", "ovs_tag", "ovs_options"];
    const options = ["cidr", "cidr6", "gateway", "gateway6", "mtu", "autostart", "comments", ...ofPort];
    await api.network.update(id.node, id.name, { type: "eth", delete: options }, { signal });
  },

  /** `pve1/vmbr0` */
  parseId(id) {
    const [, node, name] = /^([^/]+)\/([^/]+)$/.exec(id) ?? [];
    return node === undefined || name === undefined ? null : { node, name };
  },
});
