import { die } from "../../core/kernel/failure.ts";
import type { Process } from "../../core/kernel/process.ts";
import { parsePropertyString } from "../../core/schema/property-string.ts";
import type { Section } from "../../core/world/guest.ts";
import { getImage } from "../../storage/images.ts";
import { allocateDisk } from "../../storage/vdisk.ts";
import { parseVolumeId } from "../../storage/volume-name.ts";
import { describeVolume, findVolume } from "../../storage/volumes.ts";
import type { VmConfig } from "../config/config-text.ts";
import { cicustomFormat } from "../config/device-formats.ts";
import { drivesOf } from "../config/drive.ts";
import { cloudInitOptions } from "../config/options.ts";
import { isTrue } from "../config/perl.ts";
import { cloudInitSize } from "../disks/clone-drive.ts";
import { saveConfig } from "../vm.ts";

/** `read_cloudinit_snippets_file` for each custom file; it must exist only when the drive is generated. */
function checkSnippets(process: Process, cicustom: string | undefined): void {
  const files = isTrue(cicustom) ? parsePropertyString(cicustomFormat, cicustom) : {};
  for (const kind of ["network", "user", "meta", "vendor"]) {
    const volid = files[kind];
    if (volid !== undefined) {
      if (describeVolume(process.sim.world, volid).content !== "snippets") {
        die(`${volid} is not in the snippets directory`);
      }
      getImage(process.sim.world, volid, process.node);
    }
  }
}

/** `generate_cloudinit_config`: writes the ISO to the drive, and creates the drive again if it was lost. */
async function generate(process: Process, vmid: number, config: Section): Promise<void> {
  for (const [, drive] of drivesOf(config)) {
    if (!drive.file.includes(`vm-${vmid}-cloudinit`)) {
      continue;
    }
    checkSnippets(process, config["cicustom"]);
    const { world } = process.sim;
    if (findVolume(world, drive.file, process.node) === undefined) {
      const { name, format } = describeVolume(world, drive.file);
      const { storage } = parseVolumeId(drive.file);
      await allocateDisk(process, { storage, vmid, format, name, size: cloudInitSize });
    }
    process.print("generating cloud-init ISO");
  }
}

/** `apply_cloudinit_config`: generates the drive and clears the list of outdated options. */
export async function applyCloudInit(process: Process, vmid: number, conf: VmConfig): Promise<void> {
  await generate(process, vmid, conf.config);
  if (Object.keys(conf.cloudinit).length > 0) {
    conf.cloudinit = {};
    saveConfig(process, vmid, conf);
  }
}

/** Changes of these options make the generated drive outdated. */
function isOnCloudInitDrive(option: string): boolean {
  return Object.hasOwn(cloudInitOptions, option) || option === "name" || /^net\d+$/.test(option);
}

/**
 * `$cloudinit_record_changed` in qemu-server `src/PVE/QemuServer.pm`: records the value with which the drive was
 * generated, and which options it does not have (`added`).
 */
export function recordChange(
  conf: VmConfig,
  option: string,
  old: string | undefined,
  wanted: string | undefined,
): void {
  if (!isOnCloudInitDrive(option) || (old === undefined && wanted === undefined)) {
    return;
  }
  const { added: addedList = "", ...recorded } = conf.cloudinit;
  const added = new Set(addedList.split(",").filter((name) => name !== ""));
  const known = recorded[option];
  if (wanted !== undefined && wanted === known) {
    delete recorded[option];
    added.delete(option);
  } else if (known === undefined && !added.has(option)) {
    if (old === undefined) {
      added.add(option);
    } else {
      recorded[option] = old;
    }
  } else if (wanted === undefined && known === undefined) {
    added.delete(option);
  }
  conf.cloudinit = { ...recorded, ...(added.size > 0 && { added: [...added].sort().join(",") }) };
}
