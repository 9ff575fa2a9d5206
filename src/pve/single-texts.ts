// Questions that one caller has about one text of PVE: a line of a task log, an exit status, a message.

/** The only success test of a finished task (pve-common: src/PVE/RESTEnvironment.pm). */
export function readExitStatus(
  text: string,
): { kind: "ok" } | { kind: "warnings"; count: number } | { kind: "failed" } {
  if (text === "OK") {
    return { kind: "ok" };
  }
  const warnings = /^WARNINGS: (\d+)$/.exec(text)?.[1];
  return warnings === undefined ? { kind: "failed" } : { kind: "warnings", count: Number(warnings) };
}

/** Task log lines that count for `WARNINGS: n` (pve-common: src/PVE/RESTEnvironment.pm, `warn`). */
export function isWarningLine(line: string): boolean {
  return /^WARN(?:ING)?: /.test(line);
}

/**
 * The volume that could not be removed according to a line of a task log, and the reason: PVE destroys and moves VMs
 * all the same (qemu-server: src/PVE/QemuServer.pm, `destroy_vm`; src/PVE/QemuMigrate.pm, `phase3_cleanup`).
 */
export function readLeftVolume(line: string): { readonly volume: string; readonly reason: string } | null {
  const destroyed = /Could not remove disk '([^']+)'[^:]*:?\s*(.*)$/.exec(line);
  const [, volume, reason = ""] = destroyed ?? /removing local copy of '([^']+)' failed(?: - )?(.*)$/.exec(line) ?? [];
  return volume === undefined ? null : { volume, reason };
}

/** The volume that a storage cannot remove because it does not exist (pve-storage: `free_image` of RBDPlugin.pm and LVMPlugin.pm). */
export function readMissingVolume(message: string): string | null {
  const [, image, logical] =
    /error opening image (\S+): \(2\) No such file|Failed to find logical volume "[^"/]+\/([^"]+)"/.exec(message) ?? [];
  return image ?? logical ?? null;
}

const usedByClones = /base volume '[^']+' is still in use by linked clone[sd]/;

/**
 * Whether linked clones are based on a template's volumes (qemu-server: src/PVE/QemuServer.pm, `destroy_vm`; of a container,
 * pve-storage: src/PVE/Storage.pm, `vdisk_free`).
 */
export function isUsedByClones(message: string): boolean {
  return usedByClones.test(message);
}

/**
 * The digest in the request is no longer that of the config (qemu-server: src/PVE/API2/Qemu.pm; pve-common:
 * src/PVE/Tools.pm).
 */
export function isOutdated(message: string): boolean {
  return /checksum mismatch \(file change by other user\?\)|detected modified configuration - file changed/.test(
    message,
  );
}

/**
 * Whether PVE only reports that a running VM keeps its boot disk, or an IDE or SATA disk that another one replaces: the
 * change is stored and takes effect at the next start (qemu-server: src/PVE/QemuServer.pm, `vmconfig_hotplug_pending`,
 * `vm_deviceunplug`).
 */
export function isOnlyDelayed(message: string): boolean {
  const rest = message.replace(/\w+: hotplug problem - can't unplug (bootdisk|device) '\w+'/g, "");
  return rest !== message && /^(400 )?Parameter verification failed[.:]?[\s;]*$/.test(rest);
}

/**
 * A line of a shutdown log: the guest took too long, or could not be reached (qemu-server: src/PVE/QemuServer.pm,
 * `_do_vm_stop`).
 */
export const isForcedStop = (line: string): boolean => line.includes("terminating now with SIGTERM");

/** The agent is configured and does not answer, as long as the guest boots (qemu-server: src/PVE/QemuServer/Agent.pm). */
export const isAgentSilent = (message: string): boolean =>
  /QEMU guest agent is not running|qga command '[^']+' failed - got timeout/.test(message);

/** The guest did not shut down in time, and force was not allowed (same place). */
export const isShutdownTimeout = (message: string): boolean =>
  /VM quit\/powerdown failed - got timeout|container did not stop/.test(message);

/** Whether a volume already has the size that it is to get: for containers an error (pve-container: src/PVE/API2/LXC.pm). */
export const isOfThatSize = (message: string): boolean => message.includes("disk is already at specified size");

/**
 * PVE reserves some options for the user root@pam, and some calls for users who have logged in: not even a token of that
 * user may set or make them (qemu-server: src/PVE/API2/Qemu.pm; pve-container: src/PVE/LXC.pm; pve-storage:
 * src/PVE/Storage.pm; pve-http-server: src/PVE/APIServer/AnyEvent.pm).
 */
export const isReservedForRoot = (message: string): boolean =>
  /only allowed for root@pam|[oO]nly root (?:can|may)|user != root@pam|need proper ticket/.test(message);

/**
 * Whether a VM could not be created because of a leftover cloud-init drive of an earlier VM with the same VMID: that
 * volume name is fixed. Each storage type has its own text, which contains the volume name (pve-storage:
 * src/PVE/Storage/{Dir,LVM,LvmThin,RBD,ZFSPool}Plugin.pm).
 */
export function isCloudInitDriveInTheWay(message: string, vmid: number): boolean {
  return new RegExp(`vm-${vmid}-cloudinit\\b.*(?:exists|error)`, "is").test(message);
}

/** Lines with a percentage in the logs of long tasks. */
const progressForms: readonly RegExp[] = [
  // `transferred 3.2 GiB of 32.0 GiB (10.00%)` (qemu-server: src/PVE/QemuServer/{BlockJob,QemuImage}.pm)
  /\btransferred .* \((\d{1,3}(?:\.\d+)?)%\)/,
  // `INFO:  12% (3.9 GiB of 32.0 GiB) in 9s` (qemu-server: src/PVE/VZDump/QemuServer.pm)
  /^INFO: +(\d{1,3})% \(/,
  // `progress 35% (read 12025856000 bytes, duration 8 sec)` (pve-qemu: vma-reader.c)
  /^progress (\d{1,3})% \(/,
  // `32768K ........ ........  5% 12.3M 30s`, of wget
  /^ *\d+[KM] [. ]+ +(\d{1,3})% /,
];

/** How far a task is, by the last line of its log that says so. Undefined if none does. */
export function percentIn(lines: readonly string[]): number | undefined {
  for (const line of lines.toReversed()) {
    const found = progressForms.map((form) => form.exec(line)?.[1]).find((text) => text !== undefined);
    const percent = Number(found);
    if (found !== undefined && percent <= 100) return percent;
  }
  return undefined;
}

/** A text without the line of PVE's sources that Perl adds to it (`die` of perlfunc): it helps no user. */
export const withoutPlace = (message: string): string =>
  message.replace(/ at \/usr\/share\/perl5\/\S+ line \d+(?:, <\w+> line \d+)?\.?/g, "");
