import { bpg, defineSettings, Failure, type Session } from "#kit";
import { optionAttributes } from "./option-attributes.ts";
import { validateOptions } from "./validate-options.ts";

/** `proxmox_cluster_options`. Server side: pve-manager `PVE/API2/Cluster.pm`, pve-cluster `src/PVE/DataCenterConfig.pm`. */
export const clusterOptions = defineSettings({
  type: "proxmox_cluster_options",
  subcategory: "Cluster",
  doc: "The options of the whole cluster. Each option that is written is managed; the others stay as they are. A line that is removed, and destroying the resource, put back what was there before the line was written. Proxmox VE has these options once, so one resource in one configuration manages them.",
  noun: "the options of the cluster",
  path: "/cluster/options",
  file: "datacenter.cfg",
  identity: ["id"],
  // What they store is what the cluster has: the refresh reads it.
  movedFrom: [bpg("cluster_options", { id: () => "cluster" })],
  id: { id: "cluster" },
  attributes: optionAttributes,
  grants: { "/": ["Sys.Audit"] },
  needs: () => [{ privileges: ["Sys.Audit"], paths: ["/"], attribute: null }],
  validate: validateOptions,

  /** Callers without Sys.Audit see two options: what is left out is then not unset. */
  async find(api: Session, _, { signal }) {
    const found = await api.cluster.getOptions({ signal });
    if (found["mac_prefix"] !== undefined) return found;
    const detail = `Proxmox VE shows ${api.identity} only a part of the options. Grant it \`Sys.Audit\` on \`/\`.`;
    throw new Failure("Options of the cluster are hidden", detail);
  },
});
