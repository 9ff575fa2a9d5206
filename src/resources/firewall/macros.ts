import { defineCollection, shown, string } from "#kit";

/** `proxmox_firewall_macros`. Server side: pve-firewall `src/PVE/API2/Firewall/Cluster.pm`, `get_macros`. */
export const firewallMacrosData = defineCollection({
  type: "proxmox_firewall_macros",
  subcategory: "Firewall",
  doc: "Macros that rules of firewalls can name instead of protocols and ports.",
  path: "/cluster/firewall/macros",
  items: "macros",
  key: "name",
  filters: { name: "Only macros of this name" },
  attributes: {
    name: shown(string(), "macro", "Name: what `macro` of a rule takes."),
    description: shown(string(), "descr", "What it stands for."),
  },
});
