import { bool, matches, nested, oneOf, string } from "#kit";
import { behaviour, cloneSource, ofSource, outputs, placement, restoreSource } from "../guest/attributes.ts";
import { beforeChange } from "../guest/before-change-attribute.ts";
import { ha } from "../guest/ha-attribute.ts";
import { agent } from "./blocks/agent.ts";
import { audio } from "./blocks/audio.ts";
import { cdrom } from "./blocks/cdrom.ts";
import { cloudInit } from "./blocks/cloud-init.ts";
import { cpu } from "./blocks/cpu.ts";
import { disk } from "./blocks/disk.ts";
import { efiDisk } from "./blocks/efi-disk.ts";
import { machine } from "./blocks/machine.ts";
import { memory } from "./blocks/memory.ts";
import { memoryEncryption } from "./blocks/memory-encryption.ts";
import { network } from "./blocks/network.ts";
import { numa } from "./blocks/numa.ts";
import { options } from "./blocks/options.ts";
import { pci } from "./blocks/pci.ts";
import { ports } from "./blocks/ports.ts";
import { rng } from "./blocks/rng.ts";
import { sharedMemory } from "./blocks/shared-memory.ts";
import { smbios } from "./blocks/smbios.ts";
import { spice } from "./blocks/spice.ts";
import { tpmState } from "./blocks/tpm-state.ts";
import { usb } from "./blocks/usb.ts";
import { vga } from "./blocks/vga.ts";
import { virtiofs } from "./blocks/virtiofs.ts";
import { watchdog } from "./blocks/watchdog.ts";

/** What lives in the VM's configuration: one `wire` each, read and patched by the kit. */
export const settings = {
  ...options,
  ...cpu,
  ...memory,
  ...machine,
  ...vga,
  ...audio,
  ...rng,
  ...watchdog,
  ...spice,
  ...sharedMemory,
  ...memoryEncryption,
  ...smbios,
  ...disk,
  ...efiDisk,
  ...tpmState,
  ...cdrom,
  ...network,
  ...cloudInit,
  ...agent,
  ...pci,
  ...usb,
  ...virtiofs,
  ...numa,
  ...ports,
} as const;

const format = {
  format: {
    type: oneOf(["raw", "qcow2", "vmdk"]),
    mode: "optional",
    doc: "Format of the copied disks; implies `full`.",
  },
} as const;

const live = {
  live: {
    type: bool(),
    mode: "optional",
    doc: "Whether the VM runs while its data are restored; only from a Proxmox Backup Server. What the guest writes is lost if the restore fails. Default: no.",
  },
} as const;

const importable = (example: string) =>
  string({ check: matches(/^[A-Za-z][\w.-]*:\S.*$/, `a volume ID such as \`${example}\``) });

const importSource = {
  import: {
    type: nested({
      ova: {
        type: importable("local:import/appliance.ova"),
        mode: "optional",
        replace: ofSource,
        doc: "Volume ID of an OVA or OVF file, such as `local:import/appliance.ova`. Exactly one of `ova` and `esxi` must be given.",
      },
      esxi: {
        type: importable("esxi:ha-datacenter/datastore1/web/web.vmx"),
        mode: "optional",
        replace: ofSource,
        doc: "Volume ID of a VM on a storage of type `esxi`, such as `esxi:ha-datacenter/datastore1/web/web.vmx`.",
      },
      storage: {
        type: string(),
        mode: "required",
        doc: "Storage for the disks; `disks.SLOT.storage` puts one on another.",
      },
      bridge: {
        type: string(),
        mode: "optional",
        doc: "Bridge of the imported network cards; `networks.SLOT.bridge` connects one to another. Without either, cards are connected to nothing.",
      },
      working_storage: {
        type: string(),
        mode: "optional",
        doc: "Storage for disks that are extracted from an archive meanwhile: one of files, with content `images`. Left out: that of the file.",
      },
    }),
    mode: "optional",
    local: true,
    doc: "Makes the VM from an appliance, or from a VM on an ESXi host. The plan shows the options, disks and network cards that Proxmox VE proposes, and what is lost; what you write is set over it. Read only when it is created, as `clone` is.",
  },
} as const;

const memoryOfSnapshot = {
  memory: {
    type: bool(),
    mode: "optional",
    doc: "Whether the memory of a running VM is saved as well, so that a rollback resumes it. Default: no.",
  },
} as const;

export const attributes = {
  ...placement("VM"),
  ...cloneSource("VM", format),
  ...restoreSource("VM", "where the backup says", live),
  ...importSource,
  ...settings,
  ...ha("VM"),
  ...behaviour("VM"),
  ...beforeChange("VM", memoryOfSnapshot),
  ...outputs("from the guest agent where `agent.wait` is set, else as configured"),
} as const;

export type VmAttributes = typeof attributes;
