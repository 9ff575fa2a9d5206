import { bool, defineCollection, int, set, shown, string } from "#kit";

/** `proxmox_acme_plugins`. Server side: pve-manager `PVE/API2/ACMEPlugin.pm`, `index`. */
export const acmePluginsData = defineCollection({
  type: "proxmox_acme_plugins",
  subcategory: "Cluster",
  doc: "Ways to prove that a domain is yours, without their secrets. Requires `Sys.Modify` on `/`.",
  path: "/cluster/acme/plugins",
  items: "plugins",
  key: "id",
  filters: { id: "Only plugins of this name", kind: "Only plugins of this kind, `dns` or `standalone`" },
  attributes: {
    id: shown(string(), "plugin", "Name of the plugin."),
    kind: shown(string(), "type", "`dns` or `standalone`."),
    api: shown(string(), "api", "DNS API; null for `standalone`."),
    nodes: { ...shown(set(string()), "nodes", "Nodes that it is for; empty: all."), absent: [] },
    enabled: {
      ...shown(bool(), "disable", "Whether it can be used."),
      as: { parse: (raw: unknown) => String(raw) !== "1" },
      absent: true,
    },
    validation_delay: shown(int(), "validation-delay", "Seconds before the authority is asked to check; null: 30."),
  },
});
