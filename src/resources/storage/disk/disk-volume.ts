import { alreadyExists, isPveError, type Session, sizeOf } from "#kit";
import type { Volume } from "#pve";

export const diskType = "proxmox_disk";

/** A disk as Terraform knows it. On a storage that is not shared, each node has volumes of its own. */
export interface DiskId {
  readonly node: string;
  readonly volume: string;
}

export const idOf = ({ node, volume }: DiskId): string => `${node}/${volume}`;

export interface DiskParts {
  readonly storage: string;
  /** The VMID in the name: the guest that PVE takes for the owner. */
  readonly owner: number;
  readonly name: string;
  readonly format: string;
}

/** Storages that keep each image in a file, in a folder per owner. */
const fileStorages = ["dir", "nfs", "cifs", "btrfs"];

export const keepsFiles = (storageType: string | undefined): boolean => fileStorages.includes(storageType ?? "");

/** The name that the volume is allocated with. */
export const fileNameOf = ({ owner, name, format }: DiskParts, isFile: boolean): string =>
  `vm-${owner}-${name}${isFile || format === "qcow2" ? `.${format}` : ""}`;

/** pve-storage: src/PVE/Storage/*Plugin.pm, `alloc_image`. */
export const volumeIdOf = (parts: DiskParts, isFile: boolean): string =>
  `${parts.storage}:${isFile ? `${parts.owner}/` : ""}${fileNameOf(parts, isFile)}`;

/** Null for what is not the volume of a VM. A linked clone is not one: it depends on its base. */
export function partsOf(volume: string): DiskParts | null {
  const [, storage, owner, name, format = "raw"] =
    /^([A-Za-z][\w.-]*):(?:\d+\/)?vm-(\d+)-([^/\s]+?)(?:\.(raw|qcow2|vmdk))?$/.exec(volume) ?? [];
  return storage === undefined || name === undefined ? null : { storage, owner: Number(owner), name, format };
}

/** What PVE uses itself: cloud-init drives, saved memory, and what a backup writes to. */
export const isOfPve = (name: string): boolean => /^(cloudinit|state-|fleece-)/.test(name);

/** One answer for all disks of an owner on a storage. */
const listTogether = (api: Session, node: string, { storage, owner }: DiskParts): Promise<Volume[]> =>
  api.store.together(`images of ${owner} on ${node}/${storage}`, () => list(api, node, { storage, owner }));

const list = (api: Session, node: string, { storage, owner }: Pick<DiskParts, "storage" | "owner">) =>
  api.storage.listVolumes(node, storage, { vmid: owner });

/**
 * The volume on the storage; null if it does not exist. PVE leaves volumes out of its list that the caller may not use, so
 * one that is missing there is asked for alone.
 */
export async function findVolume(
  api: Session,
  { node, volume }: DiskId,
  purpose: "refresh" | "now" = "now",
): Promise<{ readonly bytes: number } | null> {
  const parts = partsOf(volume);
  if (parts === null) return null;
  const listed = purpose === "refresh" ? await listTogether(api, node, parts) : await list(api, node, parts);
  const found = listed.find(({ volid }) => volid === volume);
  const bytes = found?.size;
  if (bytes !== undefined) return { bytes };
  try {
    return { bytes: (await api.storage.getVolume(node, parts.storage, volume)).size };
  } catch (reason) {
    if (found === undefined && isPveError(reason) && reason.kind !== "permission" && !reason.mayHaveHappened)
      return null;
    throw reason;
  }
}

/** Disks that are planned and not created yet. */
export const plannedDisks = (api: Session): Set<string> => api.store.keep("disks planned", () => new Set<string>());

/** What to say about a volume that is there already. */
export function existing(id: DiskId, bytes: number) {
  return alreadyExists({
    type: diskType,
    id: idOf(id),
    label: `Volume ${id.volume}`,
    known: `${sizeOf(bytes)} on ${id.node}, maybe left by an interrupted run`,
    otherwise:
      'Otherwise choose another `name`. With `on_existing = "adopt"`, a volume of this name that no guest has is taken over with its data.',
  });
}

/** The same about one that a guest has, which is never taken over without a word. */
export function attached(id: DiskId, { vmid, slot }: { readonly vmid: number; readonly slot: string }) {
  return alreadyExists({
    type: diskType,
    id: idOf(id),
    label: `Volume ${id.volume}`,
    known: `attached to guest ${vmid}, in \`${slot}\``,
    otherwise: 'Otherwise choose another `name`. `on_existing = "adopt"` takes over only a volume that no guest has.',
  });
}
