import { nullable, number, oneOf, string } from "#kit";
import { defineDiskUse } from "./define-disk-use.ts";
import type { Values } from "./kind.ts";

const privileges = "The disk must be unused: the plan refuses any other. Needs `Sys.Modify` and `Sys.Audit` on `/`.";

const device = {
  type: string(),
  mode: "required",
  local: true,
  doc: "Path of the disk; `/dev/disk/by-id/…` stays the same when disks are added. `data.proxmox_node_disks` lists them.",
} as const;

const size = { type: nullable(number()), mode: "computed", keep: true, volatile: true, doc: "Its size." } as const;

const ofOneDisk = {
  disksOf: ({ device: path }: Values) => (typeof path === "string" ? [path] : undefined),
  disksAttribute: "device",
  request: ({ device: path }: Values) => ({ device: String(path) }),
} as const;

/** `proxmox_node_lvm`. Server side: pve-storage `src/PVE/API2/Disks/LVM.pm`. */
export const nodeLvm = defineDiskUse({
  type: "proxmox_node_lvm",
  use: "lvm",
  task: "lvm",
  noun: "volume group",
  doc: `A volume group of LVM on a disk of a node. ${privileges}`,
  nameDoc: "Name of the volume group.",
  attributes: { device, size_bytes: size },
  ...ofOneDisk,
  async find(api, node, name, signal) {
    const found = (await api.nodeDisks.listVolumeGroups(node, { signal })).find((group) => group.name === name);
    return found === undefined ? null : { size_bytes: found.size ?? null };
  },
  isUsedBy: ({ type, vgname }, name) => (type === "lvm" || type === "lvmthin") && vgname === name,
});

/** `proxmox_node_lvmthin`. Server side: pve-storage `src/PVE/API2/Disks/LVMThin.pm`. */
export const nodeLvmThin = defineDiskUse({
  type: "proxmox_node_lvmthin",
  use: "lvmthin",
  task: "lvmthin",
  noun: "thin pool",
  doc: `A thin pool of LVM on a disk of a node, in a volume group of the same name. ${privileges}`,
  nameDoc: "Name of the thin pool, and of its volume group.",
  attributes: {
    device,
    volume_group: {
      type: string(),
      mode: "computed",
      keep: true,
      instead: "Set `name`: the volume group has the same.",
      doc: "Its volume group.",
    },
    size_bytes: size,
  },
  ...ofOneDisk,
  async find(api, node, name, signal) {
    const found = (await api.nodeDisks.listThinPools(node, { signal })).filter((pool) => pool.lv === name);
    const [pool] = found.sort((a, b) => Number(b.vg === name) - Number(a.vg === name));
    return pool === undefined ? null : { volume_group: pool.vg, size_bytes: pool.lv_size ?? null };
  },
  removal: ({ volume_group, name }) => ({ "volume-group": String(volume_group ?? name) }),
  isUsedBy: ({ type, thinpool }, name) => type === "lvmthin" && thinpool === name,
});

/** `proxmox_node_directory`. Server side: pve-storage `src/PVE/API2/Disks/Directory.pm`. */
export const nodeDirectory = defineDiskUse({
  type: "proxmox_node_directory",
  use: "directory",
  task: "dir",
  noun: "directory",
  doc: `A file system on a disk of a node, mounted at \`/mnt/pve/NAME\` when the node starts. ${privileges}`,
  nameDoc: "Name of the directory below `/mnt/pve`.",
  attributes: {
    device,
    filesystem: {
      type: oneOf(["ext4", "xfs"]),
      mode: "optional",
      local: true,
      doc: "File system that the disk is formatted with. Left out: `ext4`.",
    },
    path: {
      type: string(),
      mode: "computed",
      keep: true,
      instead: "Set `name`: it decides the path.",
      doc: "Where it is mounted, as `dir.path` of `proxmox_storage` takes it.",
    },
  },
  ...ofOneDisk,
  request: ({ device: disk, filesystem }) => ({
    device: String(disk),
    ...(filesystem ? { filesystem: String(filesystem) } : {}),
  }),
  async find(api, node, name, signal) {
    const path = `/mnt/pve/${name}`;
    const all = await api.nodeDisks.listDirectories(node, { signal });
    return all.some((one) => one.path === path) ? { path } : null;
  },
  isUsedBy: ({ type, path }, name) => type === "dir" && `${String(path)}/`.startsWith(`/mnt/pve/${name}/`),
});
