import { bpg, defineSettings, string, zoneFault } from "#kit";
import { node } from "./node-attribute.ts";

/** `proxmox_node_time`. Server side: pve-manager `PVE/API2/Nodes.pm`. */
export const nodeTime = defineSettings({
  type: "proxmox_node_time",
  subcategory: "Nodes",
  doc: "The time zone of a node. Destroying the resource leaves the time zone as it is.",
  noun: "time zone of node",
  path: "/nodes/{node}/time",
  file: "the time zone of a node",
  identity: ["node"],
  movedFrom: [bpg("time", { node: "node_name", time_zone: "time_zone" })],
  put: "whole",
  attributes: {
    node,
    time_zone: {
      type: string({ check: zoneFault }),
      mode: "required",
      wire: "timezone",
      doc: "Name of the time zone, such as `Europe/Berlin`.",
    },
  },
});
