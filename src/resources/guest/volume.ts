/** `local-lvm:32` asks for a new volume; `local-lvm:vm-100-disk-0` is one (qemu-server: src/PVE/QemuServer/Drive.pm). */
export const isAllocated = (volume: string): boolean => !/^[^:]+:(\d+(\.\d+)?|cloudinit)$/.test(volume);

export const storageOf = (volume: string): string | null => /^([^:/]+):/.exec(volume)?.[1] ?? null;

/** The line of a volume after it was copied to a storage. Its new name is not known; that of the source makes it unique. */
export const onOtherStorage = (line: string, storage: string): string =>
  line.replace(/^(\w+=)?([^:,/]+):/, (_, key = "", from) => `${key}${storage}:${from === storage ? "" : `${from}/`}`);

/** Volumes of block storages have no file name, and are raw images. */
export const formatOf = (volume: string): string => /\.(raw|qcow2|vmdk)$/.exec(volume)?.[1] ?? "raw";

/** The guest that a volume belongs to, by its name; of a linked clone's the last part counts. */
export function ownerOf(volume: string): number | null {
  const vmid = [...volume.matchAll(/(?:^|[:/])(?:vm|base|subvol|basevol)-(\d+)-/g)].at(-1)?.[1];
  return vmid === undefined ? null : Number(vmid);
}

/** Whether the volume outlives the guest: PVE deletes only what belongs to it. A base image is for many, and read-only. */
export const isForeign = (volume: string, vmid: number | null | undefined): boolean => {
  const owner = ownerOf(volume);
  return owner !== null && owner !== vmid && !/(^|[:/])base(vol)?-\d+-[^/]*$/.test(volume);
};
