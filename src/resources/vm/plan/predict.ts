import type { RawConfig } from "#kit";
import type { Source } from "../../guest/lifecycle/source.ts";
import { onOtherStorage } from "../../guest/volume.ts";
import { isVolumeSlot } from "../slots.ts";

/** What no clone takes along (qemu-server: src/PVE/API2/Qemu.pm, `clone_vm`). */
const leftBehind = /^(unused\d+|template|parent|snaptime|vmstate|snapstate|running.*|lock|digest)$/;

/** Generated for every VM; stands for "some uuid". */
const someUuid = "00000000-0000-0000-0000-000000000000";

/** The configuration a clone starts with. Names of volumes and MAC addresses in it are the source's, and will differ. */
export function clonedConfig({ vmid, config }: Source, storage: string | null | undefined): RawConfig {
  const kept = Object.entries(config.options).filter(([option]) => !leftBehind.test(option));
  const smbios = config.options["smbios1"] ?? `uuid=${someUuid}`;
  return {
    ...Object.fromEntries(kept.map(([option, line]) => [option, storage ? onStorage(option, line, storage) : line])),
    name: `Copy-of-VM-${config.name ?? vmid}`,
    smbios1: smbios.includes("uuid=") ? smbios : `uuid=${someUuid},${smbios}`,
  };
}

/** A full copy puts every disk, and the cloud-init drive, on the storage it is given; CD images stay. */
export function onStorage(option: string, line: string, storage: string): string {
  const isDisk = isVolumeSlot(option);
  const isImage = /media=cdrom/.test(line) && !/cloudinit/.test(line);
  return isDisk && !isImage ? onOtherStorage(line, storage) : line;
}

/** The configuration a VM made from nothing starts with. */
export const emptyConfig: RawConfig = { smbios1: `uuid=${someUuid}` };
