import type { Guest, GuestProgram } from "../core/world/guest.ts";
import type { World } from "../core/world/world.ts";
import { SeedError } from "./read-seed.ts";
import type { Seed } from "./seed-schema.ts";
import type { VolumeShelf } from "./volumes.ts";

const driveKey = /^(?:(?:scsi|virtio|ide|sata|efidisk|tpmstate|unused|mp)\d+|rootfs)$/;

/** Guests with their configuration as in the file; the volumes of their drives are created with them. */
export function addGuests(world: World, seed: Seed, shelf: VolumeShelf): void {
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
      run: entry.running === 1 ? { since: Date.now() / 1000, pid: 2000 + index, ...addresses(config) } : undefined,
      behaviour: { agent: entry.agent !== 0, acpi: entry.acpi !== 0 },
      ...readInside(entry),
    };
    world.guests[entry.vmid] = guest;
    for (const [key, value] of config.filter(([name]) => driveKey.test(name))) {
      const volume = driveVolume(value);
      if (volume !== undefined) {
        shelf.add(
          { ...volume, node, ...(guest.type === "lxc" ? { content: "rootdir" } : {}) },
          `${place}.config.${key}`,
        );
      }
    }
  }
}

/** The volume of a drive; undefined for `none`, `cdrom` and paths of the host. */
function driveVolume(drive: string): { volid: string; size: string | undefined } | undefined {
  const [volid = "", ...options] = drive.replace(/^(?:file|volume)=/, "").split(",");
  const size = options.find((option) => option.startsWith("size="))?.slice("size=".length);
  return volid.includes(":") && !volid.startsWith("/") ? { volid, size } : undefined;
}

/** A running guest has booted with the addresses of its configuration. */
function addresses(config: readonly [key: string, value: string][]): { ipconfig: Record<string, string> } {
  return { ipconfig: Object.fromEntries(config.filter(([key]) => /^ipconfig\d+$/.test(key))) };
}

/** `files` by path and `exec`, the programs with a known result. */
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
