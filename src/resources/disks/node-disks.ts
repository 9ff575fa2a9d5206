import { bool, defineCollection, int, shown, string } from "#kit";

/** `proxmox_node_disks`. Server side: pve-storage `src/PVE/API2/Disks.pm`, `list`. */
export const nodeDisksData = defineCollection({
  type: "proxmox_node_disks",
  subcategory: "Storage",
  doc: "Disks of a node, with their use: `unused = true` finds those on which a pool, a volume group or a directory can be made. Needs `Sys.Audit` on `/` or on the node.",
  path: "/nodes/{node}/disks/list",
  items: "disks",
  key: "device",
  arguments: {
    node: { type: string(), mode: "required", wire: "node", refers: "node", doc: "Node to ask." },
  },
  filters: {
    unused: "Only disks that are not in use, or only those that are",
    type: "Only disks of this type",
    serial: "Only the disk of this serial number",
  },
  attributes: {
    device: shown(string(), "devpath", "Path, such as `/dev/sdb`; it can change when disks are added."),
    id_link: shown(string(), "by_id_link", "Path below `/dev/disk/by-id`, which stays the same."),
    size_bytes: shown(int(), "size", "Its size."),
    type: shown(string(), "type", "`ssd`, `hdd`, `nvme`, `usb` or `unknown`."),
    unused: {
      ...shown(bool(), "used", "Whether it is not in use."),
      as: { parse: () => false },
      absent: true,
    },
    use: shown(
      string(),
      "used",
      "What is on it, such as `LVM`, `ZFS`, `mounted`, `partitions` or a file system; null if it is unused.",
    ),
    model: shown(string(), "model", "Model."),
    vendor: shown(string(), "vendor", "Vendor."),
    serial: shown(string(), "serial", "Serial number."),
    health: shown(string(), "health", "What its self-test reports, such as `PASSED`."),
    wearout: shown(
      string(),
      "wearout",
      "Percentage of its life that is left, for flash disks; `N/A` if it does not say.",
    ),
  },
});
