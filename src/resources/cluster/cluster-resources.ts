import { bool, defineCollection, int, number, set, shown, string } from "#kit";

/** `proxmox_cluster_resources`. Server side: pve-manager `PVE/API2/Cluster.pm`, `resources`. */
export const clusterResourcesData = defineCollection({
  type: "proxmox_cluster_resources",
  subcategory: "Cluster",
  doc: "Everything in the cluster in one list: guests, nodes, storages, pools and SDN zones that the caller may see. Names and states of guests are up to 15 seconds old.",
  path: "/cluster/resources",
  items: "resources",
  key: "id",
  filters: {
    kind: "Only resources of this kind: `qemu`, `lxc`, `node`, `storage`, `pool`, `sdn`",
    node: "Only resources of this node",
    name: "Only guests of this name",
    pool: "Only guests in this pool",
    status: "Only resources in this state, such as `running` or `online`",
    tag: { by: "tags", doc: "Only guests with this tag" },
  },
  attributes: {
    id: shown(string(), "id", "ID, such as `qemu/100`, `node/pve1` or `storage/pve1/local`."),
    kind: shown(string(), "type", "`qemu`, `lxc`, `node`, `storage`, `pool`, `sdn` and others of later versions."),
    node: shown(string(), "node", "Node that it is on."),
    vmid: shown(int(), "vmid", "VMID of a guest."),
    name: shown(string(), "name", "Name of a guest."),
    status: shown(string(), "status", "State, such as `running` or `online`."),
    pool: shown(string(), "pool", "Pool of a guest, or the pool itself."),
    storage: shown(string(), "storage", "Name of a storage."),
    template: { ...shown(bool(), "template", "Whether a guest is a template."), absent: false },
    tags: { ...shown(set(string()), "tags", "Tags of a guest."), absent: [] },
    ha_state: shown(string(), "hastate", "State of a guest under high availability."),
    cpus: shown(number(), "maxcpu", "Processors."),
    memory: shown(int(), "maxmem", "Bytes of memory."),
    disk: shown(int(), "maxdisk", "Bytes of the first disk, or of the storage."),
  },
});
