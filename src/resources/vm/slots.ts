import { type ConfigDraft, type Families, isSlot } from "#kit";
import { slotLimits } from "#pve/slots";
import type { VolumeIn } from "../guest/kind.ts";

const { audio, efidisk, hostpci, ide, net, numa, parallel, rng, sata, scsi, serial, tpmstate, unused } = slotLimits;
const { usb, virtio, virtiofs } = slotLimits;

/** Families of slots by what they hold. The order is the one in which slots are listed. */
export const families = {
  /** Every bus that a disk can be on. */
  disks: { scsi, virtio, sata, ide },
  /** Every bus that a CD drive can be on (qemu-server: src/PVE/QemuServer/Drive.pm). */
  cdroms: { ide, sata, scsi },
  /** Every option whose value names a volume of the VM. */
  volumes: { scsi, virtio, sata, ide, efidisk, tpmstate },
  /** Volumes that are kept but not attached. */
  unused: { unused },
  networks: { net },
  numa: { numa },
  pci: { hostpci },
  usb: { usb },
  virtiofs: { virtiofs },
  serial: { serial },
  parallel: { parallel },
  /** Devices that a VM can boot from. */
  bootable: { scsi, virtio, sata, ide, net, usb, hostpci },
  /** Devices in maps that hold no data. */
  plain: { net, hostpci, usb, serial, parallel, virtiofs },
  /** Devices that a clone inherits. */
  inherited: {
    ...{ scsi, virtio, sata, ide, efidisk, tpmstate, net, hostpci, usb, serial, parallel, virtiofs, audio, rng },
  },
} as const;

/** Matches the slots of the families, and these options. */
export const optionPattern = (of: Families, ...options: readonly string[]): RegExp =>
  new RegExp(`^(${[`(${Object.keys(of).join("|")})\\d+`, ...options].join("|")})$`);

/** A disk, a CD drive, the EFI disk or the TPM's state. */
export const isVolumeSlot = (option: string): boolean => isSlot(option, families.volumes);

export const isCardSlot = (option: string): boolean => isSlot(option, families.networks);

/** Volumes that an attribute of their own stands for, rather than a slot in `disks`. */
export const namedVolumes = [
  ["efi_disk", "efidisk0"],
  ["tpm_state", "tpmstate0"],
] as const;

/** The attribute that a volume in the slot belongs to. */
export const pathOfVolume = (slot: string): string[] => {
  const named = namedVolumes.find(([, own]) => own === slot);
  return named === undefined ? ["disks", slot] : [named[0]];
};

/** A configuration, a plan or a state of a VM, as far as it has volumes. */
export interface VolumeTree {
  readonly disks?: Readonly<Record<string, VolumeIn["volume"]>> | null | undefined;
  readonly efi_disk?: VolumeIn["volume"];
  readonly tpm_state?: VolumeIn["volume"];
}

/** The drives of a configuration, a plan or a state that have a volume of their own, by slot. */
export const drivesIn = <D, E, T>(tree: {
  readonly disks?: Readonly<Record<string, D>> | null | undefined;
  readonly efi_disk?: E;
  readonly tpm_state?: T;
}): { readonly slot: string; readonly path: string[]; readonly drive: D | E | T | undefined }[] => [
  ...Object.entries(tree.disks ?? {}).map(([slot, drive]) => ({ slot, path: ["disks", slot], drive })),
  ...namedVolumes.map(([name, slot]) => ({ slot, path: [name], drive: tree[name] })),
];

/** A card leaves with the address that cloud-init configured for it. */
export function removeSlot(draft: ConfigDraft, slot: string): void {
  draft.set(slot, null);
  if (isCardSlot(slot)) draft.set(slot.replace("net", "ipconfig"), null);
}

/** The same for a device that PVE takes out of the boot order, too. */
export function removeDevice(draft: ConfigDraft, slot: string): void {
  removeSlot(draft, slot);
  const place = { option: "boot", key: "order" };
  const order = draft.read(place);
  if (Array.isArray(order))
    draft.write(
      place,
      order.filter((device) => device !== slot),
    );
}
