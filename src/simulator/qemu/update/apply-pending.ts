import { failureText } from "../../core/kernel/failure.ts";
import type { Process } from "../../core/kernel/process.ts";
import { applyCloudInit } from "../cloud-init/drive.ts";
import type { VmConfig } from "../config/config-text.ts";
import { type Drive, isCloudInit, parseDrive, printDrive } from "../config/drive.ts";
import { isDriveSlot } from "../config/options.ts";
import { isTrue } from "../config/perl.ts";
import { registerUnused } from "../disks/unused-volumes.ts";
import { saveConfig } from "../vm.ts";
import { cleanupPending, hasPending, removeDrive } from "./pending.ts";

/**
 * `vmconfig_apply_pending` in qemu-server `src/PVE/QemuServer.pm`: applies every pending change of a stopped VM. Failed
 * changes stay pending and are described in the result, by option.
 */
export async function applyPending(process: Process, vmid: number, conf: VmConfig): Promise<Record<string, string>> {
  if (!hasPending(conf)) {
    return {};
  }
  const errors: Record<string, string> = {};
  const attempt = async (option: string, change: () => Promise<void>): Promise<boolean> => {
    try {
      await change();
      return true;
    } catch (thrown) {
      errors[option] = `unable to apply pending change ${option} : ${failureText(thrown)}`;
      process.print(errors[option]);
      return false;
    }
  };
  for (const [option, mode] of Object.entries(conf.pending.delete).sort()) {
    if (await attempt(option, () => remove(process, vmid, conf, { option, force: mode === 2 }))) {
      delete conf.pending.delete[option];
      delete conf.config[option];
    }
  }
  cleanupPending(conf);
  let needsCloudInit = false;
  for (const option of Object.keys(conf.pending.set)) {
    if (await attempt(option, () => replace(process, vmid, conf, option))) {
      const value = conf.pending.set[option] ?? "";
      needsCloudInit ||= isDriveSlot(option) && isCloudInit(parseDrive(option, value) ?? { file: "" });
      conf.config[option] = value;
      delete conf.pending.set[option];
    }
  }
  saveConfig(process, vmid, conf);
  if (needsCloudInit) {
    await applyCloudInit(process, vmid, conf);
  }
  return errors;
}

async function remove(
  process: Process,
  vmid: number,
  conf: VmConfig,
  { option, force }: { option: string; force: boolean },
): Promise<void> {
  if (isDriveSlot(option) && conf.config[option] !== undefined) {
    await removeDrive(process, vmid, conf, { slot: option, force });
  }
}

/** A drive that replaces another keeps the old volume as unused; saving removes that entry if it is the same volume. */
async function replace(process: Process, vmid: number, conf: VmConfig, option: string): Promise<void> {
  const present = isDriveSlot(option) ? parseDrive(option, conf.config[option] ?? "") : undefined;
  if (present === undefined) {
    return;
  }
  await registerUnused(process, vmid, conf, present);
  const wanted = parseDrive(option, conf.pending.set[option] ?? "");
  if (option === "efidisk0" && wanted !== undefined) {
    conf.pending.set[option] = printDrive(enrollCertificate(process, present, wanted));
  }
}

/** `OVMF::drive_change`: a newly set marker means that the certificates are enrolled in the disk. */
function enrollCertificate(process: Process, present: Drive, wanted: Drive): Drive {
  const { "ms-cert": marker, ...unmarked } = wanted;
  if (present.file !== wanted.file || present["ms-cert"] === marker || !marker?.startsWith("2023")) {
    return wanted;
  }
  if (!isTrue(wanted["pre-enrolled-keys"])) {
    return unmarked;
  }
  process.print("efidisk0: enrolling Microsoft UEFI CA 2023");
  return { ...unmarked, "ms-cert": "2023k" };
}
