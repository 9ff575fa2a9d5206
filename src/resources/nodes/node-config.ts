import { isIPv4 } from "node:net";
import { bpg, defineSettings, group, inherits, int, location, matches, remark, string } from "#kit";
import { node } from "./node-attribute.ts";

/** `proxmox_node_config`. Server side: pve-manager `PVE/API2/NodeConfig.pm`, `PVE/NodeConfig.pm`. */
export const nodeConfig = defineSettings({
  type: "proxmox_node_config",
  subcategory: "Nodes",
  doc: "Options of a node. Each option that is written is managed; the others stay as they are. A line that is removed, and destroying the resource, put back what was there before the line was written. The domains for ACME belong to `proxmox_acme_certificate`.",
  noun: "options of node",
  path: "/nodes/{node}/config",
  file: "the options of nodes",
  identity: ["node"],
  movedFrom: [bpg("node_config", { node: "node_name", description: "description" })],
  attributes: {
    node,
    description: inherits(remark, "description", "Notes on the node, in Markdown, up to 65536 characters.", {
      as: { parse: (raw) => String(raw).replace(/\n+$/, ""), print: (text) => text },
    }),
    startall_onboot_delay: inherits(
      int({ min: 0, max: 300 }),
      "startall-onboot-delay",
      "Seconds between the boot of the node and the start of its guests. Default: 0.",
    ),
    ballooning_target: inherits(
      int({ min: 0, max: 100 }),
      "ballooning-target",
      "Use of the node's memory in percent up to which VMs are given more than their minimum. Default: 80.",
    ),
    location: location("The place of the node, for maps."),
    wake_on_lan: group(
      {
        mac: {
          type: string({
            check: matches(/^[0-9A-Fa-f]{2}(:[0-9A-Fa-f]{2}){5}$/, "a MAC address such as `BC:24:11:00:00:01`"),
            same: (a, b) => a.toUpperCase() === b.toUpperCase(),
          }),
          mode: "required",
          wire: "wakeonlan/mac",
          isDefaultKey: true,
          doc: "MAC address of the node.",
        },
        bind_interface: inherits(
          string({ check: matches(/^[A-Za-z][\w.]{1,20}$/, "the name of an interface") }),
          "wakeonlan/bind-interface",
          "Interface that other nodes send the packet from. Default: the one of the default route.",
        ),
        broadcast_address: inherits(
          string({ check: (text) => (isIPv4(text) ? undefined : "Must be an IPv4 address.") }),
          "wakeonlan/broadcast-address",
          "Address that the packet is sent to. Default: 255.255.255.255.",
        ),
      },
      "How the node is woken by others.",
    ),
  },
});
