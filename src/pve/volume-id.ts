/**
 * A volume on a storage, `local-lvm:vm-100-disk-0`, and the facts in its name (pve-storage:
 * src/PVE/Storage/*Plugin.pm).
 */
export interface VolumeId {
  readonly storage: string;
  /** Everything after the colon. */
  readonly name: string;
  /** The guest that owns the volume. A linked clone's volume belongs to the clone, not to its base. */
  readonly vmid?: number;
  /** `base` images belong to templates; they are shared by linked clones and never written to. */
  readonly isBase: boolean;
  readonly isCloudInit: boolean;
  /** `raw`, `qcow2` …, where the storage has it in the file name. */
  readonly format?: string;
  /** The base image of a linked clone, where the storage shows it. */
  readonly base?: string;
  /** The kind of a file volume: `iso`, `vztmpl`, `snippets`, `import`, `backup`. */
  readonly content?: string;
}

const image = /^(vm|base|subvol|basevol)-(\d+)-(.+?)(?:\.(raw|qcow2|vmdk|subvol))?$/;
const file = /^(iso|vztmpl|snippets|import|backup)\/(.+)$/;

/** Null for a text that is not a volume id: `none`, `cdrom`, an absolute path. */
export function parseVolumeId(text: string): VolumeId | null {
  const [, storage, name] = /^([A-Za-z][A-Za-z0-9._-]*[A-Za-z0-9]):(.+)$/.exec(text) ?? [];
  if (storage === undefined || name === undefined) {
    return null;
  }
  const content = file.exec(name)?.[1];
  if (content !== undefined) {
    return { storage, name, isBase: false, isCloudInit: false, content };
  }
  // `9000/base-9000-disk-0.qcow2/101/vm-101-disk-0.qcow2`: the last part is the volume, the part before it its base.
  const parts = name.split("/").filter((part) => !/^\d+$/.test(part));
  const [, prefix, owner, rest, format] = image.exec(parts.at(-1) ?? "") ?? [];
  return {
    storage,
    name,
    isBase: prefix?.startsWith("base") ?? false,
    isCloudInit: rest === "cloudinit",
    ...(owner !== undefined && { vmid: Number(owner) }),
    ...(format !== undefined && { format }),
    ...(parts.length > 1 && parts[0] !== undefined && { base: parts[0] }),
  };
}
