import { die } from "../core/kernel/failure.ts";
import type { Storage } from "../core/world/storage.ts";
import { type ContentType, type Naming, pluginOf } from "./plugins.ts";

/** The parts of a volume id: `local:iso/debian.iso` is `iso/debian.iso` on `local`. */
export interface VolumeId {
  readonly storage: string;
  /** The part after the colon, PVE's `volname`. */
  readonly volname: string;
}

/** The parts of a `volname` (`parse_volname` of each plugin). */
export interface VolumeName {
  readonly content: Exclude<ContentType, "rootdir">;
  /** Without the owner's directory and without the base image. */
  readonly name: string;
  readonly vmid?: number;
  /** The base image of a linked clone, if the name contains it (not on lvmthin). */
  readonly base?: { readonly name: string; readonly vmid: number };
  readonly isBase: boolean;
  readonly format: string;
}

export function findVolumeId(volid: string): VolumeId | undefined {
  const match = /^([a-z][a-z0-9\-_.]*[a-z0-9]):(.+)$/i.exec(volid);
  return match?.[1] === undefined || match[2] === undefined ? undefined : { storage: match[1], volname: match[2] };
}

export function parseVolumeId(volid: string): VolumeId {
  return findVolumeId(volid) ?? die(`unable to parse volume ID '${volid}'`);
}

const isoExtension = String.raw`\.(?:iso|img)`;
const templateExtension = String.raw`\.(?:(tar)(?!\.)|tar\.(gz|xz|zst|bz2))`;
const backupExtension = String.raw`\.(?:tgz|(?:tar|vma)(?:\.(?:gz|lzo|zst|bz2))?)`;
const importCharacters = "[ a-zA-Z0-9.+=_-]+";

/** File names by content type, anchored to the whole name (PVE::Storage `*_EXT_RE_*`). */
export const fileNamePatterns = {
  iso: new RegExp(`^[^/]+${isoExtension}$`, "i"),
  vztmpl: new RegExp(`^[^/]+${templateExtension}$`, "i"),
  backup: new RegExp(`^[^/]+${backupExtension}$`),
  import: new RegExp(`^${importCharacters}\\.(ova|ovf|qcow2|raw|vmdk)$`),
  importUpload: /^[^/]+\.(ova|qcow2|raw|vmdk)$/,
};

const imageInDirectory = /^(vm-|base-|subvol-)(\d+)-[^/\s]+\.(raw|qcow2|vmdk|subvol)$/;
const strangerInDirectory = /^(base-)?[^/\s]+\.(raw|qcow2|vmdk|subvol)$/;

/** Plugin.pm `parse_name_dir`. */
function parseImageFile(name: string): { isBase: boolean; format: string } {
  const image = imageInDirectory.exec(name);
  if (image?.[3] !== undefined) {
    return { isBase: image[1] === "base-", format: image[3] };
  }
  if (/^snap-.*\.qcow2$/.test(name)) {
    die(`'${name}' is a snapshot filename, not a volume!`);
  }
  const stranger = strangerInDirectory.exec(name);
  return stranger?.[2] === undefined
    ? die(`unable to parse volume filename '${name}'`)
    : { isBase: stranger[1] !== undefined, format: stranger[2] };
}

function parseInDirectory(volname: string): VolumeName {
  const clone = /^(\d+)\/(\S+)\/(\d+)\/(\S+)$/.exec(volname);
  if (clone?.[2] !== undefined && clone[4] !== undefined) {
    parseImageFile(clone[2]);
    const base = { name: clone[2], vmid: Number(clone[1]) };
    return { content: "images", name: clone[4], vmid: Number(clone[3]), base, ...parseImageFile(clone[4]) };
  }
  const image = /^(\d+)\/(\S+)$/.exec(volname);
  if (image?.[2] !== undefined) {
    return { content: "images", name: image[2], vmid: Number(image[1]), ...parseImageFile(image[2]) };
  }
  return parseFile(volname) ?? die(`unable to parse directory volume name '${volname}'`);
}

/** All files in a directory that are not disk images. */
function parseFile(volname: string): VolumeName | undefined {
  const [, kind, name] = /^(iso|vztmpl|backup|snippets|import)\/(.+)$/.exec(volname) ?? [];
  if (name === undefined) {
    return undefined;
  }
  if (kind === "iso" && fileNamePatterns.iso.test(name)) {
    return { content: "iso", name, isBase: false, format: "raw" };
  }
  if (kind === "vztmpl" && fileNamePatterns.vztmpl.test(name)) {
    return { content: "vztmpl", name, isBase: false, format: "raw" };
  }
  if (kind === "backup" && fileNamePatterns.backup.test(name)) {
    const owner = /^vzdump-(?:openvz|lxc|qemu)-(\d+)-.+/.exec(name)?.[1];
    return { content: "backup", name, isBase: false, format: "raw", ...(owner && { vmid: Number(owner) }) };
  }
  if (kind === "snippets" && !name.includes("/")) {
    return { content: "snippets", name, isBase: false, format: "raw" };
  }
  if (kind === "import") {
    const packed = new RegExp(`^${importCharacters}\\.ova/${importCharacters}\\.(qcow2|raw|vmdk)$`).exec(name);
    const format = packed?.[1] === undefined ? fileNamePatterns.import.exec(name)?.[1] : `ova+${packed[1]}`;
    return format === undefined ? undefined : { content: "import", name, isBase: false, format };
  }
  return undefined;
}

/** Plugin.pm `parse_lvm_name`. */
function checkLvmName(name: string): void {
  if (!/^[a-z0-9][a-z0-9\-_.]*[a-z0-9]$/i.test(name)) {
    die(`lvm name '${name}' contains illegal characters`);
  }
}

/** An image from the groups of its name: `[base, VMID of the base, name, kind, VMID]`. */
function imageName(match: RegExpExecArray, format: string): VolumeName {
  const [, base, baseVmid, name = "", kind = "", vmid] = match;
  return {
    content: "images",
    name,
    vmid: Number(vmid),
    ...(base !== undefined && { base: { name: base, vmid: Number(baseVmid) } }),
    isBase: kind.startsWith("base"),
    format,
  };
}

/** A snapshot on a backup server (PBSPlugin.pm `parse_volname`). */
function parseSnapshot(volname: string): VolumeName | undefined {
  const [, kind, vmid, time] = /^backup\/(vm|ct)\/(\d+)\/(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ)$/.exec(volname) ?? [];
  return time === undefined
    ? undefined
    : { content: "backup", name: `${kind}/${vmid}/${time}`, vmid: Number(vmid), isBase: false, format: `pbs-${kind}` };
}

/** The description of a VM on an ESXi host, or one of its disks (ESXiPlugin.pm `parse_volname`). */
function parseRemoteVm(volname: string): VolumeName | undefined {
  const [, format] = /^[^/]+\/[^/]+\/.+\.(vmx|vmdk)$/.exec(volname) ?? [];
  return format === undefined ? undefined : { content: "import", name: volname, isBase: false, format };
}

const parsers: Record<Naming, (volname: string) => VolumeName> = {
  directory: parseInDirectory,
  lvm: (volname) => {
    checkLvmName(volname);
    const [, vmid] = /^vm-(\d+)-\S+$/.exec(volname) ?? die(`unable to parse lvm volume name '${volname}'`);
    const format = volname.endsWith(".qcow2") ? "qcow2" : "raw";
    return { content: "images", name: volname, vmid: Number(vmid), isBase: false, format };
  },
  lvmthin: (volname) => {
    checkLvmName(volname);
    const match = /^(vm|base)-(\d+)-\S+$/.exec(volname) ?? die(`unable to parse lvm volume name '${volname}'`);
    return { content: "images", name: volname, vmid: Number(match[2]), isBase: match[1] === "base", format: "raw" };
  },
  zfs: (volname) => {
    const pattern = /^(?:((?:base|basevol)-(\d+)-\S+)\/)?((base|basevol|vm|subvol)-(\d+)-\S+)$/;
    const match = pattern.exec(volname) ?? die(`unable to parse zfs volume name '${volname}'`);
    return imageName(match, match[4] === "subvol" || match[4] === "basevol" ? "subvol" : "raw");
  },
  rbd: (volname) => {
    const pattern = /^(?:(base-(\d+)-\S+)\/)?((base|vm)?-(\d+)-\S+)$/;
    return imageName(pattern.exec(volname) ?? die(`unable to parse rbd volume name '${volname}'`), "raw");
  },
  none: (volname) =>
    parseSnapshot(volname) ?? parseRemoteVm(volname) ?? die(`unable to parse volume name '${volname}'`),
};

/** `parse_volname` of the storage's plugin; dies with its text. */
export function parseVolumeName(storage: Storage, volname: string): VolumeName {
  return parsers[pluginOf(storage).naming](volname);
}

const subdirectories: Record<Exclude<ContentType, "rootdir">, string> = {
  images: "images",
  iso: "template/iso",
  vztmpl: "template/cache",
  backup: "dump",
  snippets: "snippets",
  import: "import",
};

/** The directory of one content type (`get_subdir`). */
export function contentDirectory(storage: Storage, content: Exclude<ContentType, "rootdir">): string {
  const { path, "content-dirs": overrides = "" } = storage.options;
  const override = overrides.split(",").find((entry) => entry.startsWith(`${content}=`));
  return `${path ?? die("storage definition has no path")}/${override?.slice(content.length + 1) ?? subdirectories[content]}`;
}

/** The path of the volume on the host (`filesystem_path`). */
export function volumePath(storage: Storage, volname: string): string {
  const { content, name, vmid, format } = parseVolumeName(storage, volname);
  const { vgname = "", pool = "rbd", mountpoint } = storage.options;
  switch (pluginOf(storage).naming) {
    case "lvm":
    case "lvmthin":
      return `/dev/${vgname}/${name}`;
    case "zfs":
      return format === "subvol" ? `${mountpoint ?? `/${pool}`}/${name}` : `/dev/zvol/${pool}/${name}`;
    case "rbd":
      return `rbd:${pool}/${name}`;
    case "directory":
    case "none": {
      const directory = contentDirectory(storage, content);
      return content === "images" ? `${directory}/${vmid}/${name}` : `${directory}/${name}`;
    }
  }
}
