import { slotLimits } from "../slots.ts";
import { efidisk, ide, sata, scsi, tpmstate, unused, virtio } from "./drives.ts";
import { hotplug, nameserver, sshKeys, tags } from "./list-string.ts";
import * as machine from "./machine.ts";
import { ipconfig, net } from "./network.ts";
import { hostpci, usb, virtiofs } from "./passthrough.ts";

/** Codec of every packed VM option, by its name without the number: `scsi` reads `scsi0` to `scsi30`. */
export const optionCodecs = {
  agent: machine.agent,
  "amd-sev": machine.amdSev,
  audio: machine.audio,
  boot: machine.boot,
  cicustom: machine.cicustom,
  cpu: machine.cpu,
  efidisk,
  hostpci,
  hotplug,
  ide,
  "intel-tdx": machine.intelTdx,
  ipconfig,
  ivshmem: machine.ivshmem,
  machine: machine.machine,
  memory: machine.memory,
  meta: machine.meta,
  nameserver,
  net,
  numa: machine.numa,
  rng: machine.rng,
  sata,
  scsi,
  smbios: machine.smbios,
  spice_enhancements: machine.spiceEnhancements,
  sshkeys: sshKeys,
  startup: machine.startup,
  tags,
  tpmstate,
  unused,
  usb,
  vga: machine.vga,
  virtio,
  virtiofs,
  watchdog: machine.watchdog,
} as const;

export type PackedOption = keyof typeof optionCodecs;

export type SlotFamily = keyof typeof slotLimits;

/** `scsi3` → its family and number; null for options without a number (`memory`, and `numa` the switch). */
export function parseSlot(key: string): { family: SlotFamily; index: number } | null {
  const [, family, digits] = /^([a-z]+)(0|[1-9]\d*)$/.exec(key) ?? [];
  if (family === undefined || !Object.hasOwn(slotLimits, family)) {
    return null;
  }
  const index = Number(digits);
  const known = family as SlotFamily;
  return index <= slotLimits[known] ? { family: known, index } : null;
}

/** The codec that reads the option `key`; null where the value is plain (`name`, `serial0`, `numa`). */
export function codecOf(key: string): (typeof optionCodecs)[PackedOption] | null {
  const slot = parseSlot(key);
  const name = slot?.family ?? (key in slotLimits ? "" : key);
  return Object.hasOwn(optionCodecs, name) ? optionCodecs[name as PackedOption] : null;
}
