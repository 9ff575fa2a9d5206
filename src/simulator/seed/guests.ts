import { parseSize } from "../schema/size.ts";
import { isShared } from "../storage/storages.ts";
import type { Guest } from "../world/guest.ts";
import type { Volume } from "../world/storage.ts";
import type { World } from "../world/world.ts";
import { SeedError } from "./read-seed.ts";
import type { Seed } from "./seed-schema.ts";

const driveKey = /^(?:(?:scsi|virtio|ide|sata|efidisk|tpmstate|unused|mp)\d+|rootfs)$/;

/** Guests with their configuration as the file would hold it; the volumes their drives name come into being with them. */
export function addGuests(world: World, seed: Seed): void {
  const present = new Set(world.volumes.map(volumeKey));
  for (const [index, entry] of (seed.guests ?? []).entries()) {
    const place = `guests[${index}]`;
    const node = entry.node ?? world.cluster.local;
    if (world.nodes[node] === undefined) {
      throw new SeedError(`${place}.node`, `there is no node '${node}'`);
    }
    if (world.guests[entry.vmid] !== undefined) {
      throw new SeedError(`${place}.vmid`, `${entry.vmid} is taken`);
    }
    const config = Object.entries(entry.config as Record<string, unknown>).map(([key, value]): [string, string] => {
      if (typeof value === "object") {
        throw new SeedError(`${place}.config.${key}`, "must be text, a number or a boolean");
      }
      return [key, value === true ? "1" : value === false ? "0" : String(value)];
    });
    const guest: Guest = {
      vmid: entry.vmid,
      type: entry.type ?? "qemu",
      node,
      config: Object.fromEntries(config),
      pending: { set: {}, delete: {} },
      cloudinit: {},
      snapshots: {},
      run: entry.running === 1 ? { since: Date.now() / 1000, pid: 2000 + index } : undefined,
      behaviour: { agent: entry.agent !== 0, acpi: entry.acpi !== 0 },
    };
    world.guests[entry.vmid] = guest;
    for (const [key, value] of config.filter(([name]) => driveKey.test(name))) {
      const volume = volumeOf(world, guest, value, `${place}.config.${key}`);
      if (volume !== undefined && !present.has(volumeKey(volume))) {
        present.add(volumeKey(volume));
        world.volumes.push(volume);
      }
    }
  }
}

const volumeKey = ({ volid, node = "" }: Volume) => `${node} ${volid}`;

/** The volume a drive names; undefined for `none` and `cdrom`. */
function volumeOf(world: World, guest: Guest, drive: string, place: string): Volume | undefined {
  const [volid = "", ...options] = drive.replace(/^(?:file|volume)=/, "").split(",");
  const [, storageId, name] = /^([^:]+):(.+)$/.exec(volid) ?? [];
  if (storageId === undefined || name === undefined) {
    return undefined;
  }
  const storage = world.storages[storageId];
  if (storage === undefined) {
    throw new SeedError(place, `there is no storage '${storageId}'`);
  }
  const content = /^(iso|vztmpl|backup|import)\//.exec(name)?.[1] as Volume["content"] | undefined;
  const node = isShared(storage) ? undefined : guest.node;
  const size = options.find((option) => option.startsWith("size="))?.slice("size=".length);
  return {
    volid,
    node,
    content: content ?? (guest.type === "lxc" ? "rootdir" : "images"),
    format: /\.(qcow2|vmdk|iso)$/.exec(name)?.[1] ?? "raw",
    size: parseSize(size ?? "") ?? 4 * 1024 ** 2,
    ...(content === undefined ? { vmid: guest.vmid } : {}),
    ctime: Math.floor(Date.now() / 1000),
  };
}
