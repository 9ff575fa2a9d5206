import * as z from "zod";
import type { Api, CallOptions } from "./api.ts";
import type { Parameters } from "./transport/call.ts";
import { apiObject, number, text, upid } from "./wire.ts";

const disk = apiObject(() => ({
  devpath: z.string(),
  by_id_link: z.string().optional(),
  /** What is on it, such as `LVM`, `ZFS`, `mounted` or `partitions`; missing for a disk that is free. */
  used: z.string().optional(),
  size: number.optional(),
}));

const zfsPool = apiObject(() => ({ name: text, size: number.optional(), health: z.string().optional() }));
const volumeGroup = apiObject(() => ({ name: text, size: number.optional() }));
const volumeGroups = apiObject(() => ({ children: z.array(volumeGroup).optional() }));
const thinPool = apiObject(() => ({ lv: text, vg: text, lv_size: number.optional() }));
const directory = apiObject(() => ({ path: z.string(), device: z.string().optional(), type: z.string().optional() }));

export type NodeDisk = z.infer<typeof disk>;

const paths = {
  zfs: "/nodes/{node}/disks/zfs",
  lvm: "/nodes/{node}/disks/lvm",
  lvmthin: "/nodes/{node}/disks/lvmthin",
  directory: "/nodes/{node}/disks/directory",
} as const;

export type DiskUse = keyof typeof paths;

/** `/nodes/{node}/disks` (pve-storage: src/PVE/API2/Disks.pm, src/PVE/API2/Disks/*.pm). */
export function nodeDiskCalls(api: Api) {
  return {
    list: (node: string, options?: CallOptions) =>
      api.get("/nodes/{node}/disks/list", { node, skipsmart: true }, z.array(disk), options),

    listZfsPools: (node: string, options?: CallOptions) => api.get(paths.zfs, { node }, z.array(zfsPool), options),
    listVolumeGroups: async (node: string, options?: CallOptions) =>
      (await api.get(paths.lvm, { node }, volumeGroups, options)).children ?? [],
    listThinPools: (node: string, options?: CallOptions) =>
      api.get(paths.lvmthin, { node }, z.array(thinPool), options),
    listDirectories: (node: string, options?: CallOptions) =>
      api.get(paths.directory, { node }, z.array(directory), options),

    create: (use: DiskUse, node: string, request: Parameters & { readonly name: string }, options?: CallOptions) =>
      api.post(paths[use], { ...request, node }, upid, options),

    /** Destroys what is on the disks; with `cleanup-disks` they are wiped. */
    remove: (use: DiskUse, node: string, name: string, request: Parameters, options?: CallOptions) =>
      api.delete(`${paths[use]}/{name}`, { ...request, node, name }, upid, options),
  };
}

export type NodeDiskCalls = ReturnType<typeof nodeDiskCalls>;
