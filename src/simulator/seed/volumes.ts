import { archiveInfo } from "../backup/archive-name.ts";
import { failureText } from "../core/kernel/failure.ts";
import { parseSize } from "../core/schema/size.ts";
import type { BackupArchive, Volume } from "../core/world/storage.ts";
import type { World } from "../core/world/world.ts";
import { drivesOf, isCdrom } from "../qemu/config/drive.ts";
import { listedFormat } from "../storage/files.ts";
import { placeOf } from "../storage/place.ts";
import { isOnNode, isShared } from "../storage/storages.ts";
import { findVolumeId } from "../storage/volume-name.ts";
import { describeVolume } from "../storage/volumes.ts";
import { SeedError } from "./read-seed.ts";
import type { Seed } from "./seed-schema.ts";

const defaultBytes = 4 * 1024 ** 2;

interface WantedVolume {
  readonly volid: string;
  /** On a storage that is not shared: the node; undefined: every node that has the storage. */
  readonly node?: string | undefined;
  readonly size?: string | undefined;
  readonly content?: Volume["content"];
  readonly vmid?: number;
  readonly notes?: string | undefined;
  readonly contents?: Pick<Volume, "backup" | "protected" | "oci" | "virtualSize" | "used" | "machine">;
}

/** Adds volumes, each once, also if several storages on one place list it. The kind of a volume follows from its name; other names are refused. */
export class VolumeBuilder {
  readonly #world: World;
  readonly #present = new Set<string>();

  constructor(world: World) {
    this.#world = world;
  }

  add(wanted: WantedVolume, place: string): void {
    const description = this.#describe(wanted.volid, place);
    const { storage } = description;
    const size = wanted.size === undefined ? defaultBytes : parseSize(wanted.size);
    if (size === undefined) {
      throw new SeedError(place, `'${wanted.size}' is not a size`);
    }
    const vmid = wanted.vmid ?? description.vmid;
    for (const node of this.#nodesOf(wanted, isShared(storage), place)) {
      const key = [node ?? "", placeOf(storage), wanted.volid.slice(storage.storage.length)].join(" ");
      if (this.#present.has(key) || (node !== undefined && !isOnNode(storage, node))) {
        continue;
      }
      this.#present.add(key);
      this.#world.volumes.push({
        volid: wanted.volid,
        node,
        content: wanted.content ?? description.content,
        format: listedFormat(description.content, wanted.volid) ?? description.format,
        size,
        ...(vmid === undefined ? {} : { vmid }),
        ...(description.base === undefined ? {} : { parent: description.base.name }),
        ...(wanted.notes === undefined ? {} : { notes: wanted.notes }),
        ...wanted.contents,
        ctime: archiveInfo(wanted.volid)?.ctime ?? Math.floor(Date.now() / 1000),
      });
    }
  }

  #describe(volid: string, place: string): ReturnType<typeof describeVolume> {
    const [storage] = volid.split(":", 1);
    if (this.#world.storages[storage ?? ""] === undefined) {
      throw new SeedError(place, `storage '${storage}' does not exist`);
    }
    try {
      return describeVolume(this.#world, volid);
    } catch (thrown) {
      throw new SeedError(place, failureText(thrown).trim());
    }
  }

  #nodesOf({ node }: WantedVolume, shared: boolean, place: string): readonly (string | undefined)[] {
    if (shared) {
      return [undefined];
    }
    if (node !== undefined && this.#world.nodes[node] === undefined) {
      throw new SeedError(place, `node '${node}' does not exist`);
    }
    return node === undefined ? Object.keys(this.#world.nodes) : [node];
  }
}

/** `volumes` by storage, and the lists of files: ISO images, container templates, snippets, import images, backups. */
export function addVolumes(world: World, seed: Seed, builder: VolumeBuilder): void {
  for (const [storage, entries] of Object.entries(seed.volumes ?? {})) {
    if (!Array.isArray(entries)) {
      throw new SeedError(`volumes.${storage}`, "must be a list");
    }
    for (const [index, entry] of entries.entries()) {
      const place = `volumes.${storage}[${index}]`;
      const { volume, size, node, notes } = readEntry(entry, "volume", place);
      const volid = `${storage}:${volume}`;
      const used = readUsed(entry, place);
      builder.add({ volid, size, node: node ?? world.cluster.local, notes, contents: used }, place);
    }
  }
  for (const list of ["iso_files", "container_templates", "snippets", "import_files", "backups"] as const) {
    for (const [index, entry] of (seed[list] ?? []).entries()) {
      const place = `${list}[${index}]`;
      const { volume: volid, size, node, notes } = readEntry(entry, "volid", place);
      builder.add({ volid, size, node, notes, contents: readContents(entry, volid, place) }, place);
    }
  }
}

/** `"local:iso/debian.iso"` or `{"volid": "local:iso/debian.iso", "size": "700M"}`. */
function readEntry(
  entry: unknown,
  key: "volume" | "volid",
  place: string,
): { volume: string; size?: string | undefined; node?: string | undefined; notes?: string | undefined } {
  const fields = (typeof entry === "string" ? { [key]: entry } : entry) as Record<string, unknown> | null;
  const volume = fields?.[key];
  if (typeof volume !== "string") {
    throw new SeedError(`${place}.${key}`, "must name the volume");
  }
  const text = (name: string) => (fields?.[name] === undefined ? undefined : String(fields[name]));
  return { volume, size: text("size"), node: text("node"), notes: text("notes") };
}

/** Written bytes of a thin volume. */
function readUsed(entry: unknown, place: string): Pick<Volume, "used"> {
  const { used } = (typeof entry === "object" && entry !== null ? entry : {}) as Record<string, unknown>;
  const bytes = used === undefined ? undefined : parseSize(String(used));
  if (used !== undefined && bytes === undefined) {
    throw new SeedError(`${place}.used`, `'${used}' is not a size`);
  }
  return bytes === undefined ? {} : { used: bytes };
}

/** The contents of a file, as far as the seed has them. */
function readContents(
  entry: unknown,
  volid: string,
  place: string,
): Pick<Volume, "backup" | "protected" | "oci" | "virtualSize" | "machine"> {
  if (typeof entry !== "object" || entry === null) {
    return archiveInfo(volid) === undefined ? {} : { backup: readArchive({}, volid) };
  }
  const { config = {}, protected: isProtected, oci, machine, virtual_size: disk } = entry as Record<string, unknown>;
  const virtualSize = disk === undefined ? undefined : parseSize(String(disk));
  if (disk !== undefined && virtualSize === undefined) {
    throw new SeedError(`${place}.virtual_size`, `'${disk}' is not a size`);
  }
  return {
    ...(archiveInfo(volid) !== undefined && { backup: readArchive(config as Record<string, unknown>, volid) }),
    ...(isProtected !== undefined && { protected: isProtected === true || isProtected === 1 }),
    ...(oci !== undefined && { oci: oci as NonNullable<Volume["oci"]> }),
    ...(virtualSize !== undefined && { virtualSize }),
    ...(machine !== undefined && { machine: machine as NonNullable<Volume["machine"]> }),
  };
}

/** The configuration of a backup; the disks of a VM are the drives with a size. */
function readArchive(config: Record<string, unknown>, volid: string): BackupArchive {
  const section = Object.fromEntries(Object.entries(config).map(([key, value]) => [key, String(value)]));
  const type = archiveInfo(volid)?.type === "qemu" ? "qemu" : "lxc";
  const disks =
    type === "lxc" ? [] : drivesOf(section).filter(([, drive]) => !isCdrom(drive) && drive["backup"] !== "0");
  return {
    type,
    config: section,
    disks: disks.map(([slot, { file, size }]) => ({
      slot,
      size: Number(size ?? defaultBytes),
      storage: findVolumeId(file)?.storage ?? "",
      format: /\.(raw|qcow2|vmdk)$/.exec(file)?.[1] ?? "raw",
    })),
  };
}
