import type { Process } from "../../core/kernel/process.ts";
import type { VmConfig } from "../config/config-text.ts";
import { parseDrive } from "../config/drive.ts";
import { deallocateDrive, registerUnused } from "../disks/unused-volumes.ts";

// The `[PENDING]` section: pve-guest-common `src/PVE/AbstractConfig.pm`.

export function hasPending({ pending }: VmConfig): boolean {
  return Object.keys(pending.set).length > 0 || Object.keys(pending.delete).length > 0;
}

/** `cleanup_pending`: removes pending changes without effect; returns whether there were any. */
export function cleanupPending({ config, pending }: VmConfig): boolean {
  const unchanged = Object.keys(pending.set).filter((key) => pending.set[key] === config[key]);
  const absent = Object.keys(pending.delete).filter((key) => config[key] === undefined);
  for (const key of unchanged) {
    delete pending.set[key];
  }
  for (const key of absent) {
    delete pending.delete[key];
  }
  return unchanged.length > 0 || absent.length > 0;
}

/** `vmconfig_delete_or_detach_drive`: a forced removal also deletes the volume. */
export async function removeDrive(
  process: Process,
  vmid: number,
  conf: VmConfig,
  { slot, force }: { readonly slot: string; readonly force: boolean },
): Promise<void> {
  const drive = parseDrive(slot, conf.config[slot] ?? "");
  if (drive === undefined) {
    return;
  }
  if (force) {
    process.caller.checkVm(vmid, undefined, ["VM.Config.Disk"]);
    await deallocateDrive(process, vmid, conf, { slot, drive });
  } else {
    await registerUnused(process, vmid, conf, drive);
  }
}
