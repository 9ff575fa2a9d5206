import { decimal, flag, integer, list, text, word } from "./fields.ts";
import { propertyString, type ValuesOf } from "./property-string.ts";

// Server side: qemu-server `src/PVE/QemuServer.pm` and `src/PVE/QemuServer/{Agent,CPUConfig,Machine,Memory,MetaInfo,RNG}.pm`.

export const agent = propertyString({
  defaultKey: "enabled",
  aliases: { "freeze-fs-on-backup": "freeze-fs", "guest-fsfreeze": "freeze-fs" },
  fields: {
    enabled: flag(),
    "freeze-fs": flag(),
    fstrim_cloned_disks: flag(),
    type: word("virtio", "isa"),
  },
});

export const audio = propertyString({
  fields: { device: word("ich9-intel-hda", "intel-hda", "AC97"), driver: word("spice", "none") },
});

/** `order=scsi0;net0`, or the legacy letters `cdn`. */
export const boot = propertyString({ defaultKey: "legacy", fields: { legacy: text(), order: list() } });

/** Snippet volumes that replace the generated cloud-init files. */
export const cicustom = propertyString({ fields: { meta: text(), network: text(), user: text(), vendor: text() } });

export const cpu = propertyString({
  defaultKey: "cputype",
  fields: {
    cputype: text(),
    /** `+aes`, `-pcid`. */
    flags: list(),
    "guest-phys-bits": integer(),
    hidden: flag(),
    "hv-vendor-id": text(),
    level: integer(),
    /** 8 to 64, or `host`. */
    "phys-bits": text(),
    "reported-model": text(),
  },
});

export const ivshmem = propertyString({ fields: { name: text(), size: integer() } });

export const machine = propertyString({
  defaultKey: "type",
  fields: {
    type: text(),
    "aw-bits": integer(),
    "enable-s3": flag(),
    "enable-s4": flag(),
    viommu: word("intel", "virtio"),
  },
});

/** MiB. */
export const memory = propertyString({ defaultKey: "current", fields: { current: integer() } });

/** Written by PVE when the guest is created; a clone copies it, so it proves no identity. */
export const meta = propertyString({ fields: { "creation-qemu": text(), ctime: integer() } });

export const numa = propertyString({
  fields: { cpus: list(), hostnodes: list(), memory: decimal(), policy: word("preferred", "bind", "interleave") },
});

export const rng = propertyString({
  defaultKey: "source",
  fields: { source: word("/dev/urandom", "/dev/random", "/dev/hwrng"), max_bytes: integer(), period: integer() },
});

/** Texts are base64 when `base64` is set, which PVE requires for anything but letters and digits. */
export const smbios = propertyString({
  fields: {
    base64: flag(),
    family: text(),
    manufacturer: text(),
    product: text(),
    serial: text(),
    sku: text(),
    uuid: text(),
    version: text(),
  },
});

export const spiceEnhancements = propertyString({
  fields: { foldersharing: flag(), videostreaming: word("off", "all", "filter") },
});

export const startup = propertyString({
  defaultKey: "order",
  fields: { order: integer(), up: integer(), down: integer() },
});

export const vga = propertyString({
  defaultKey: "type",
  fields: {
    type: word(
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
    ),
    memory: integer(),
    clipboard: word("vnc"),
  },
});

export const watchdog = propertyString({
  defaultKey: "model",
  fields: { model: word("i6300esb", "ib700"), action: word("reset", "shutdown", "poweroff", "pause", "debug", "none") },
});

export const amdSev = propertyString({
  defaultKey: "type",
  fields: {
    type: word("std", "es", "snp"),
    "allow-smt": flag(),
    "kernel-hashes": flag(),
    "no-debug": flag(),
    "no-key-sharing": flag(),
  },
});

export const intelTdx = propertyString({
  defaultKey: "type",
  fields: { type: word("tdx"), attestation: flag(), "vsock-cid": integer(), "vsock-port": integer() },
});

export type Agent = ValuesOf<typeof agent>;
export type Cpu = ValuesOf<typeof cpu>;
export type Machine = ValuesOf<typeof machine>;
export type Smbios = ValuesOf<typeof smbios>;
export type Vga = ValuesOf<typeof vga>;
