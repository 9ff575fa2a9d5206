import { type Call, endpoint } from "../core/kernel/endpoint.ts";
import { die, paramError } from "../core/kernel/failure.ts";
import type { Process } from "../core/kernel/process.ts";
import { storageIdFormat } from "../core/schema/formats.ts";
import { boolean, integer, string } from "../core/schema/schema.ts";
import { node } from "../core/schema/standard-options.ts";
import type { Volume } from "../core/world/storage.ts";
import type { World } from "../core/world/world.ts";
import { checkVolumeAccess } from "./access.ts";
import { failMissing, getImage } from "./images.ts";
import { pluginOf } from "./plugins.ts";
import { backupsOf, checkProtectionLimit } from "./protection.ts";
import { copySeconds, isShared } from "./storages.ts";
import { freeDisk } from "./vdisk.ts";
import { findVolumeId } from "./volume-name.ts";
import { addVolume, describeVolume, findVolume, pathOf } from "./volumes.ts";

/** A volume may be given without its storage, since the path has it; if both are given, they must be equal. */
function realVolumeId(storage: string | undefined, volume: string): string {
  if (!volume.includes(":")) {
    return `${storage ?? paramError({ volume: "no storage specified - incomplete volume ID" })}:${volume}`;
  }
  const id = findVolumeId(volume) ?? paramError({ volume: `unable to parse volume ID '${volume}'\n` });
  if (storage !== undefined && id.storage !== storage) {
    paramError({ volume: `storage ID mismatch (${id.storage} != ${storage})\n` });
  }
  return volume;
}

/** `volume_size_info`: the tools' information about the volume, or their error if it does not exist. */
function measure(world: World, volid: string, here: string): { size: number; used: number; format: string } {
  const { storage, name, format } = describeVolume(world, volid);
  const volume = findVolume(world, volid, here) ?? failMissing(world, volid);
  const { naming } = pluginOf(storage);
  if (naming !== "directory") {
    return { size: volume.size, used: naming === "lvm" || naming === "lvmthin" ? 0 : (volume.used ?? 0), format };
  }
  const sector = 512;
  const block = 4096;
  // A file is read as a raw image unless its name has another format; qemu-img counts in sectors.
  const size = volume.virtualSize ?? Math.ceil(volume.size / sector) * sector;
  const used =
    describeVolume(world, volid).content === "images" ? (volume.used ?? 0) : Math.ceil(volume.size / block) * block;
  return { size, used, format: name.endsWith(".ova") || name.endsWith(".ovf") ? "raw" : format };
}

const pluginClasses: Readonly<Record<string, string>> = {
  lvm: "LVMPlugin",
  lvmthin: "LvmThinPlugin",
  zfspool: "ZFSPoolPlugin",
  rbd: "RBDPlugin",
};

/** Notes and protection are only supported for backups in files; otherwise each plugin has its own error. */
function changeAttributes(
  { caller, sim: { world }, node: here }: Process,
  volid: string,
  { notes, protected: isProtected }: { notes?: string | undefined; protected?: 0 | 1 | undefined },
): void {
  const { storage, content } = describeVolume(world, volid);
  const { fileBased } = pluginOf(storage);
  const backup = content === "backup" ? findVolume(world, volid, here) : undefined;
  if (notes !== undefined && content !== "backup") {
    const place = "at /usr/share/perl5/PVE/Storage/Plugin.pm line 1300.";
    die(
      fileBased
        ? "only backups can have notes"
        : `volume notes are not supported for PVE::Storage::${pluginClasses[storage.type]} ${place}`,
    );
  }
  if (isProtected !== undefined && content !== "backup") {
    die(
      fileBased
        ? "only backups support attribute 'protected'"
        : `attribute 'protected' is not supported for storage type '${storage.type}'`,
    );
  }
  if (backup !== undefined) {
    if (isProtected === 1 && !backup.protected && backup.vmid !== undefined) {
      const type = /vzdump-(\w+)-/.exec(volid)?.[1] ?? "";
      checkProtectionLimit(caller, storage, backupsOf(world, storage.storage, here, backup.vmid, type));
    }
    Object.assign(
      backup,
      notes !== undefined && { notes },
      isProtected !== undefined && { protected: isProtected === 1 },
    );
  }
}

/** The call waits up to `delay` seconds for the removal; null if it has ended by then. */
async function awaitRemoval(call: Call, upid: string, delay: number): Promise<string | null> {
  const end = call.sim.clock.now() + delay / call.sim.clock.speed;
  for (;;) {
    const record = call.world.tasks.find((task) => task.upid === upid);
    if (record?.exitstatus !== undefined) {
      return /^(?:OK|WARNINGS: \d+)$/.test(record.exitstatus) ? null : die(record.exitstatus);
    }
    if (call.sim.clock.now() >= end) {
      return upid;
    }
    await call.sleep(1);
  }
}

const path = "/nodes/{node}/storage/{storage}/content/{volume}";
const parameters = { node, storage: string({ optional: true, format: storageIdFormat }), volume: string() };
const common = { path, protected: true, proxyTo: "node", restOfPath: true, permissions: { user: "all" } } as const;

/** pve-storage `src/PVE/API2/Storage/Content.pm`: one volume. */
export const volumeEndpoints = [
  endpoint({
    ...common,
    method: "GET",
    parameters,
    handler: ({ params, world, caller, node: here }) => {
      const volid = realVolumeId(params.storage, params.volume);
      checkVolumeAccess(world, caller, volid);
      const measured = measure(world, volid, here);
      if (measured.size === 0 && measured.format !== "subvol") {
        die(`volume '${volid}' has size zero`);
      }
      const backup: Partial<Volume> =
        describeVolume(world, volid).content === "backup" ? { notes: "", ...findVolume(world, volid, here) } : {};
      return {
        path: pathOf(world, volid),
        ...measured,
        ...(backup.notes !== undefined && { notes: backup.notes, protected: backup.protected ? 1 : 0 }),
      };
    },
  }),
  endpoint({
    ...common,
    method: "PUT",
    parameters: { ...parameters, notes: string({ optional: true }), protected: boolean({ optional: true }) },
    handler: (call) => {
      const { params, world, caller } = call;
      const volid = realVolumeId(params.storage, params.volume);
      checkVolumeAccess(world, caller, volid);
      changeAttributes(call, volid, params);
      return null;
    },
  }),
  endpoint({
    path,
    protected: true,
    proxyTo: "node",
    restOfPath: true,
    method: "POST",
    parameters: { ...parameters, target: string(), target_node: { ...node, optional: true } },
    handler: (call) => {
      const { params, world } = call;
      const source = realVolumeId(params.storage, params.volume);
      const target = realVolumeId(params.storage, params.target);
      return call.worker("imgcopy", "", async (task) => {
        task.print(`DEBUG: starting worker ${task.upid}`);
        const volume = getImage(world, source, task.node);
        const { storage, vmid } = describeVolume(world, target);
        await task.sleep(copySeconds(volume.size, describeVolume(world, source).storage, storage));
        const where = isShared(storage) ? undefined : (params.target_node ?? task.node);
        addVolume(world, storage, { ...volume, volid: target, node: where, ...(vmid !== undefined && { vmid }) });
        task.print(`DEBUG: end worker ${task.upid}`);
      });
    },
  }),
  endpoint({
    ...common,
    method: "DELETE",
    parameters: { ...parameters, delay: integer({ optional: true, minimum: 1, maximum: 30 }) },
    handler: (call) => {
      const { params, world, caller } = call;
      const volid = realVolumeId(params.storage, params.volume);
      const { content, vmid, storage } = describeVolume(world, volid);
      if (content === "backup" && vmid !== undefined) {
        caller.check(`/storage/${storage.storage}`, ["Datastore.AllocateSpace"]);
        caller.check(`/vms/${vmid}`, ["VM.Backup"]);
      } else {
        caller.check(`/storage/${storage.storage}`, ["Datastore.Allocate"]);
      }
      const owner = vmid === undefined ? "" : `${vmid}@`;
      const upid = call.worker("imgdel", `${owner}${storage.storage}`, async (task) => {
        await freeDisk(task, volid);
        task.print(`Removed volume '${volid}'`);
      });
      return params.delay === undefined ? upid : awaitRemoval(call, upid, params.delay);
    },
  }),
];
