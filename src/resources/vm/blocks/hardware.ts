import { bool, group, inherits, int, matches, oneOf, string } from "#kit";

/** `q35` stands for whatever version PVE pins it to (qemu-server: src/PVE/QemuServer/Machine.pm). */
const isSameMachine = (a: string, b: string): boolean => {
  const family = (type: string) => (type === "pc" ? "pc-i440fx" : type === "q35" ? "pc-q35" : type);
  return family(a) === family(b) || `${family(a)}-` === b.slice(0, family(a).length + 1) || b === family(a)
    ? true
    : `${family(b)}-` === a.slice(0, family(b).length + 1);
};

const vgaTypes = [
  "cirrus",
  "none",
  "qxl",
  "qxl2",
  "qxl3",
  "qxl4",
  "serial0",
  "serial1",
  "serial2",
  "serial3",
  "std",
  "virtio",
  "virtio-gl",
  "vmware",
] as const;

/** The emulated board and what is soldered to it. Server side: qemu-server `src/PVE/QemuServer.pm`, `Machine.pm`. */
export const hardware = {
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
        "Machine type: `pc`, `q35`, or one with its version.",
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
  vga: group(
    {
      type: inherits(oneOf(vgaTypes), "vga/type", "Kind of card."),
      memory: inherits(int({ min: 4, max: 512 }), "vga/memory", "Its memory in MiB."),
      clipboard: inherits(oneOf(["vnc"]), "vga/clipboard", "Clipboard shared with the console."),
    },
    "Graphics card.",
  ),
  audio: group(
    {
      device: inherits(oneOf(["ich9-intel-hda", "intel-hda", "AC97"]), "audio0/device", "Kind of card."),
      driver: inherits(oneOf(["spice", "none"]), "audio0/driver", "Where the sound goes."),
    },
    "Sound card.",
  ),
  rng: group(
    {
      source: inherits(oneOf(["/dev/urandom", "/dev/random", "/dev/hwrng"]), "rng0/source", "Where it comes from."),
      max_bytes: inherits(int({ min: 0 }), "rng0/max_bytes", "Bytes per period; `0` is no limit."),
      period: inherits(int({ min: 0 }), "rng0/period", "Length of the period in milliseconds."),
    },
    "Randomness for the guest.",
  ),
  watchdog: group(
    {
      model: inherits(oneOf(["i6300esb", "ib700"]), "watchdog/model", "Kind of device."),
      action: inherits(
        oneOf(["reset", "shutdown", "poweroff", "pause", "debug", "none"]),
        "watchdog/action",
        "What happens when the guest no longer answers it.",
      ),
    },
    "A device that restarts a guest which hangs.",
  ),
  spice: group(
    {
      folder_sharing: inherits(bool(), "spice_enhancements/foldersharing", "Whether folders can be shared."),
      video_streaming: inherits(
        oneOf(["off", "all", "filter"]),
        "spice_enhancements/videostreaming",
        "Whether moving pictures are sent as video.",
      ),
    },
    "Extras of SPICE consoles. Needs `root@pam`.",
  ),
  shared_memory: group(
    {
      size: inherits(int({ min: 1 }), "ivshmem/size", "Size in MiB."),
      name: inherits(
        string({ check: matches(/^[A-Za-z0-9-]+$/, "letters, digits and hyphens") }),
        "ivshmem/name",
        "Name.",
      ),
    },
    "Memory shared with other guests. Needs `root@pam`.",
  ),
  amd_sev: group(
    {
      type: inherits(oneOf(["std", "es", "snp"]), "amd-sev/type", "Generation of the technique."),
      allow_smt: inherits(bool(), "amd-sev/allow-smt", "Whether hyper-threading is allowed."),
      kernel_hashes: inherits(bool(), "amd-sev/kernel-hashes", "Whether kernel hashes are added to the measurement."),
      no_debug: inherits(bool(), "amd-sev/no-debug", "Whether debugging is forbidden."),
      no_key_sharing: inherits(bool(), "amd-sev/no-key-sharing", "Whether keys may not be shared."),
    },
    "Memory encrypted by an AMD processor. Needs `root@pam`.",
  ),
  intel_tdx: group(
    {
      type: inherits(oneOf(["tdx"]), "intel-tdx/type", "The technique."),
      attestation: inherits(bool(), "intel-tdx/attestation", "Whether attestation is offered."),
      vsock_cid: inherits(int({ min: 2 }), "intel-tdx/vsock-cid", "Context of the quote service."),
      vsock_port: inherits(int({ min: 0 }), "intel-tdx/vsock-port", "Port of the quote service."),
    },
    "A trust domain of an Intel processor. Needs `root@pam`.",
  ),
} as const;
