import { endpoint } from "../core/kernel/endpoint.ts";
import { paramError } from "../core/kernel/failure.ts";
import { vmidFormat } from "../core/schema/formats.ts";
import { integer, string } from "../core/schema/schema.ts";
import { node, storageId, vmid } from "../core/schema/standard-options.ts";
import type { Storage, Volume } from "../core/world/storage.ts";
import type { World } from "../core/world/world.ts";
import { mayAccessVolume } from "./access.ts";
import { contentFormat } from "./formats.ts";
import { type ContentType, pluginOf } from "./plugins.ts";
import { contentTypes, getActiveStorage } from "./storages.ts";
import { allocateDisk } from "./vdisk.ts";
import { findVolume, volumesOn } from "./volumes.ts";

/** Images belong to containers or to VMs, depending on their owner (Plugin.pm `list_volumes`). */
function contentOf(world: World, volume: Volume): ContentType {
  if (!isImage(volume)) {
    return volume.content;
  }
  return volume.vmid !== undefined && world.guests[volume.vmid]?.type === "lxc" ? "rootdir" : "images";
}

function isImage({ content }: Volume): boolean {
  return content === "images" || content === "rootdir";
}

/** The details of an image in each plugin's `list_images`. */
function describeImage(storage: Storage, volume: Volume): Record<string, unknown> {
  const { volid, format, size, vmid: owner, ctime } = volume;
  const common = { volid, format, size, vmid: owner };
  const { naming } = pluginOf(storage);
  switch (naming) {
    case "lvm":
    case "lvmthin":
      return { ...common, ctime: String(ctime) }; // read from the tool's output, therefore a string
    case "zfs":
    case "rbd":
      return { ...common, name: volid.replace(/^.*[:/]/, ""), parent: volume.parent ?? null };
    case "directory":
    case "none":
      return { ...common, used: volume.used ?? 0, parent: volume.parent ?? null, ctime };
  }
}

/** The kind of guest in a backup, by its name. */
function subtypeOf(volid: string): string {
  const [, kind] = /:backup\/(vm|ct)\//.exec(volid) ?? [];
  return kind === undefined ? (/^.*vzdump-(\w+)-/.exec(volid)?.[1] ?? "unknown") : kind === "vm" ? "qemu" : "lxc";
}

function describeFile({ volid, format, size, vmid: owner, ctime, notes, ...volume }: Volume): Record<string, unknown> {
  return {
    volid,
    format,
    size,
    ctime,
    ...(owner !== undefined && { vmid: owner }),
    ...(notes !== undefined && { notes: notes.split("\n")[0] }),
    ...(volume.protected && { protected: 1 }),
    ...(volume.content === "backup" && { subtype: subtypeOf(volid) }),
  };
}

/** `PVE::Storage::volume_list`: only the content types for which the storage is configured. */
function listContent(world: World, storage: Storage, nodeName: string, owner?: number, wanted?: string) {
  const types = contentTypes(storage).filter((type) => wanted === undefined || wanted === type);
  // Files without an owner are not filtered by guest, except in lists that ignore it.
  const belongs = (volume: Volume) =>
    owner === undefined || volume.vmid === owner || volume.content === "snippets" || volume.content === "import";
  return volumesOn(world, storage.storage, nodeName)
    .filter((volume) => types.includes(contentOf(world, volume)) && belongs(volume))
    .map((volume) => ({
      content: contentOf(world, volume),
      ...(isImage(volume) ? describeImage(storage, volume) : describeFile(volume)),
      volid: volume.volid,
    }))
    .sort((a, b) => (a.volid.toLowerCase() < b.volid.toLowerCase() ? -1 : 1));
}

const KiB = 1024;

/** `10G`, `512M`, or a number of KiB. */
function parseDiskSize(text: string): number {
  const [, digits, unit] = /^(\d+)([MG]?)$/.exec(text) ?? [];
  if (digits === undefined) {
    paramError({ size: `unable to parse size '${text}'` });
  }
  return Number(digits) * (unit === "G" ? KiB ** 3 : unit === "M" ? KiB ** 2 : KiB);
}

/** pve-storage `src/PVE/API2/Storage/Content.pm`: the list, and allocation of images. */
export const storageContentEndpoints = [
  endpoint({
    method: "GET",
    path: "/nodes/{node}/storage/{storage}/content",
    protected: true,
    proxyTo: "node",
    permissions: {
      check: ["perm", "/storage/{storage}", ["Datastore.Audit", "Datastore.AllocateSpace"], { any: true }],
    },
    parameters: {
      node,
      storage: storageId,
      content: string({ optional: true, format: contentFormat }),
      vmid: integer({ optional: true, format: vmidFormat, minimum: 100, maximum: 999_999_999 }),
    },
    handler: ({ params, world, caller, node: here, sim }) => {
      const storage = getActiveStorage(world, params.storage, here);
      const lag = sim.faults.fileListLag(params.storage);
      const isOld = (volid: string) => sim.clock.since(findVolume(world, volid, here)?.ctime ?? 0) >= lag;
      const isShown = ({ volid }: { readonly volid: string }) =>
        mayAccessVolume(world, caller, volid) && (lag === 0 || isOld(volid));
      return listContent(world, storage, here, params.vmid, params.content).filter(isShown);
    },
  }),
  endpoint({
    method: "POST",
    path: "/nodes/{node}/storage/{storage}/content",
    protected: true,
    proxyTo: "node",
    permissions: { check: ["perm", "/storage/{storage}", ["Datastore.AllocateSpace"]] },
    parameters: {
      node,
      storage: storageId,
      vmid,
      filename: string(),
      size: string({ pattern: "\\d+[MG]?" }),
      format: string({ optional: true, enum: ["raw", "qcow2", "subvol", "vmdk"], requires: "size" }),
    },
    handler: (call) => {
      const { filename, size, format, storage, vmid: owner } = call.params;
      const extension = /\.(raw|qcow2|vmdk)$/.exec(filename)?.[1];
      if (extension !== undefined && format !== undefined && extension !== format) {
        paramError({ format: `different storage formats (${format} != ${extension})` });
      }
      const bytes = parseDiskSize(size);
      // Every plugin takes the next free name for an empty one.
      const name = filename === "" ? undefined : filename;
      return allocateDisk(call, { storage, vmid: owner, name, format: extension ?? format, size: bytes });
    },
  }),
];
