import { bool, group, inherits, int, matches, oneOf, string } from "#kit";

const unversioned: Readonly<Record<string, string>> = { pc: "pc-i440fx", q35: "pc-q35" };

export const unversionedMachines: readonly string[] = Object.keys(unversioned);

/** `q35` stands for whatever version PVE pins it to (qemu-server: src/PVE/QemuServer/Machine.pm). */
export function isSameMachine(a: string, b: string): boolean {
  const isVersionOf = (type: string, family: string | undefined) =>
    family !== undefined && type.startsWith(`${family}-`);
  return a === b || isVersionOf(a, unversioned[b]) || isVersionOf(b, unversioned[a]);
}

/** The emulated board. Server side: qemu-server `src/PVE/QemuServer/Machine.pm`. */
export const machine = {
  machine: group(
    {
      type: inherits(
        string({
          check: matches(
            /^(pc|q35|virt|(pc|q35|virt|pc-i440fx|pc-q35)-[\d.]+(\+pve\d+)?(\.pxe)?)$/,
            "`pc`, `q35` or a versioned type such as `pc-q35-9.2`",
          ),
          same: isSameMachine,
        }),
        "machine/type",
        "Machine type: `pc`, `q35`, or one with its version. For Windows, Proxmox VE pins `q35` to its latest version when the VM is created; that version stays while the configuration says `q35`.",
      ),
      viommu: inherits(oneOf(["intel", "virtio"]), "machine/viommu", "Virtual IOMMU."),
      aw_bits: inherits(int({ min: 32, max: 64 }), "machine/aw-bits", "Address width of the virtual IOMMU."),
      enable_s3: inherits(bool(), "machine/enable-s3", "Whether the guest may sleep in S3."),
      enable_s4: inherits(bool(), "machine/enable-s4", "Whether the guest may sleep in S4."),
    },
    "The emulated machine.",
  ),
  bios: inherits(oneOf(["seabios", "ovmf"]), "bios", "Firmware; `ovmf` is UEFI."),
  scsi_hardware: inherits(
    oneOf(["lsi", "lsi53c810", "virtio-scsi-pci", "virtio-scsi-single", "megasas", "pvscsi"]),
    "scsihw",
    "SCSI controller.",
  ),
} as const;
