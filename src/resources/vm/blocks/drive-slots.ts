import type { ConfigDraft } from "#kit";

/** The volume in the slot, or what stands for one: `none`, `cdrom`, `local-lvm:32` while it is still to be made. */
export const fileOf = (draft: ConfigDraft, slot: string): string => String(draft.read({ option: slot, key: "file" }));

export const isCdrom = (draft: ConfigDraft, slot: string): boolean =>
  draft.read({ option: slot, key: "media" }) === "cdrom" || isCloudInit(draft, slot);

export const isCloudInit = (draft: ConfigDraft, slot: string): boolean =>
  /:(.*[/-])?cloudinit(\.\w+)?$/.test(fileOf(draft, slot));

/** PVE's own cloud-init drive among the volumes of a VM: its name is fixed. */
export const isCloudInitVolume = (volid: string): boolean => /[:/]vm-\d+-cloudinit(\.\w+)?$/.test(volid);

/** An image of cloud-init data that was uploaded for a VM: `local:iso/cloud-init-401-<digest>.iso`. */
const dataImage = /^[^:]+:iso\/cloud-init-(\d+)-[0-9a-f]{16}\.iso$/;

/** The VM for which the image was made; null for any other file. */
export function dataImageOwner(file: string): number | null {
  const vmid = dataImage.exec(file)?.[1];
  return vmid === undefined ? null : Number(vmid);
}

export const isDataDrive = (draft: ConfigDraft, slot: string): boolean => dataImageOwner(fileOf(draft, slot)) !== null;
