import { isIP } from "node:net";
import { bpg, type ConfigDraft, defineSettings, list, matches, string } from "#kit";
import { node } from "./node-attribute.ts";

const slots = ["dns1", "dns2", "dns3"] as const;

/** `proxmox_node_dns`. Server side: pve-manager `PVE/API2/Nodes.pm`, pve-common `src/PVE/INotify.pm` (resolv.conf). */
export const nodeDns = defineSettings({
  type: "proxmox_node_dns",
  subcategory: "Nodes",
  doc: "The resolver of a node: `/etc/resolv.conf`. Destroying the resource leaves the file as it is, since a node cannot do without.",
  noun: "resolver of node",
  path: "/nodes/{node}/dns",
  file: "resolv.conf",
  identity: ["node"],
  movedFrom: [bpg("dns", { node: "node_name", search_domain: "domain", servers: "servers" })],
  put: "whole",
  attributes: {
    node,
    search_domain: {
      type: string({ check: matches(/^\S+$/, "one domain: Proxmox VE keeps no more") }),
      mode: "required",
      wire: "search",
      doc: "Domain that names without a dot are searched in.",
    },
    servers: {
      type: list(string({ check: (text) => (isIP(text) ? undefined : "Must be an IP address.") }), { min: 1, max: 3 }),
      mode: "required",
      custom: {
        parse: (draft: ConfigDraft) => slots.flatMap((slot) => draft.raw(slot) ?? []),
        patch: (draft: ConfigDraft, servers: unknown) =>
          slots.forEach((slot, index) => {
            draft.set(slot, (servers as readonly string[])[index] ?? null);
          }),
      },
      doc: "Addresses of one to three name servers, in the order in which they are asked.",
    },
  },

  validate({ config: { servers }, report }) {
    const known = (servers ?? []).filter((server) => server !== undefined);
    const double = known.find((server, index) => known.indexOf(server) !== index);
    const none = known.find((server) => server === "0.0.0.0");
    if (double !== undefined) report.error("servers", "Name server given twice", `Proxmox VE keeps ${double} once.`);
    if (none !== undefined) report.error("servers", "Not a name server", "Proxmox VE drops 0.0.0.0. Remove it.");
  },
});
