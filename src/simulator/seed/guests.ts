import { parseSize } from "../core/schema/size.ts";
import type { Guest, GuestProgram } from "../core/world/guest.ts";
import type { World } from "../core/world/world.ts";
import { SeedError } from "./read-seed.ts";
import type { Seed } from "./seed-schema.ts";
import type { VolumeBuilder } from "./volumes.ts";

const driveKey = /^(?:(?:scsi|virtio|ide|sata|efidisk|tpmstate|unused|mp)\d+|rootfs)$/;

/** Guests with their configuration as in the file; the volumes of their drives are created with them. */
export function addGuests(world: World, seed: Seed, builder: VolumeBuilder): void {
  for (const [index, entry] of (seed.guests ?? []).entries()) {
    const place = `guests[${index}]`;
    const node = entry.node ?? world.cluster.local;
    if (world.nodes[node] === undefined) {
      throw new SeedError(`${place}.node`, `node '${node}' does not exist`);
    }
    if (world.guests[entry.vmid] !== undefined) {
      throw new SeedError(`${place}.vmid`, `VMID ${entry.vmid} is used twice`);
    }
    const config = readConfig(entry.config, `${place}.config`);
    const guest: Guest = {
      vmid: entry.vmid,
      type: entry.type ?? "qemu",
      node,
      config: Object.fromEntries(config),
      pending: {
        set: Object.fromEntries(readConfig(entry.pending ?? {}, `${place}.pending`)),
        delete: Object.fromEntries((entry.pending_delete ?? []).map((key) => [key, 1 as const])),
      },
      cloudinit: {},
      snapshots: readSnapshots(entry.snapshots ?? {}, `${place}.snapshots`),
      run: entry.running === 1 ? { since: Date.now() / 1000, pid: 2000 + index, ...addresses(config) } : undefined,
      behaviour: { agent: entry.agent !== 0, acpi: entry.acpi !== 0 },
      ...readInside(entry),
    };
    world.guests[entry.vmid] = guest;
    const put = (volume: DriveVolume | undefined, where: string) =>
      volume && builder.add({ ...volume, node, ...(guest.type === "lxc" ? { content: "rootdir" } : {}) }, where);
    for (const [key, value] of config.filter(([name]) => driveKey.test(name))) {
      put(driveVolume(value), `${place}.config.${key}`);
    }
    for (const [name, { vmstate }] of Object.entries(guest.snapshots)) {
      put(vmstate === undefined ? undefined : driveVolume(vmstate), `${place}.snapshots.${name}.vmstate`);
    }
    addVolumeSnapshots(world, guest);
  }
}

/** A configuration as the lines of its file. */
function readConfig(config: Readonly<Record<string, unknown>>, place: string): [key: string, value: string][] {
  return Object.entries(config).map(([key, value]) => {
    if (typeof value === "object") {
      throw new SeedError(`${place}.${key}`, "must be text, a number or a boolean");
    }
    return [key, value === true ? "1" : value === false ? "0" : String(value)];
  });
}

/** Snapshots by name, with the configuration at that time. */
function readSnapshots(snapshots: Readonly<Record<string, unknown>>, place: string): Guest["snapshots"] {
  return Object.fromEntries(
    Object.entries(snapshots).map(([name, config]) => {
      if (typeof config !== "object" || config === null) {
        throw new SeedError(`${place}.${name}`, "must be the configuration in the snapshot");
      }
      return [name, Object.fromEntries(readConfig(config as Record<string, unknown>, `${place}.${name}`))];
    }),
  );
}

/** Volumes that a snapshot's configuration names have that snapshot, with the size they had. */
function addVolumeSnapshots(world: World, { snapshots }: Guest): void {
  for (const [name, config] of Object.entries(snapshots)) {
    for (const [, drive] of Object.entries(config).filter(([key]) => driveKey.test(key))) {
      const { volid, size } = driveVolume(drive) ?? {};
      const volume = world.volumes.find((candidate) => candidate.volid === volid);
      if (volume !== undefined) {
        volume.snapshots ??= [];
        volume.snapshots.push({ name, size: parseSize(size ?? "") ?? volume.size });
      }
    }
  }
}

interface DriveVolume {
  readonly volid: string;
  readonly size: string | undefined;
}

/** The volume a drive names; undefined for `none`, `cdrom` and paths of the host. */
function driveVolume(drive: string): DriveVolume | undefined {
  const [volid = "", ...options] = drive.replace(/^(?:file|volume)=/, "").split(",");
  const size = options.find((option) => option.startsWith("size="))?.slice("size=".length);
  return volid.includes(":") && !volid.startsWith("/") ? { volid, size } : undefined;
}

/** A guest that runs has booted with the addresses of its configuration. */
function addresses(config: readonly [key: string, value: string][]): { ipconfig: Record<string, string> } {
  return { ipconfig: Object.fromEntries(config.filter(([key]) => /^ipconfig\d+$/.test(key))) };
}

/** `files` by path and `exec`, the programs whose outcome is known. */
export function readInside({ files, exec }: { files?: unknown; exec?: unknown }): Pick<Guest, "inside"> {
  if (files === undefined && exec === undefined) {
    return {};
  }
  const texts = Object.entries((files ?? {}) as Record<string, unknown>);
  return {
    inside: {
      files: Object.fromEntries(texts.map(([path, text]) => [path, Buffer.from(String(text)).toString("base64")])),
      programs: ((exec ?? []) as GuestProgram[]).map((program) => ({
        ...program,
        command: [program.command].flat().map(String),
      })),
    },
  };
}
