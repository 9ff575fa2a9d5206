import type { LockHeld, MissingPrivilege, PveErrorKind } from "./errors.ts";

/**
 * The only file that knows PVE's words and status codes. PVE answers nearly every failure with 500 and a sentence, so
 * the sentence is the protocol. Each pattern is case-exact and names the file that emits it.
 */
interface Matcher {
  readonly pattern: RegExp;
  readonly kind: PveErrorKind;
  /** `package: file` of the Perl source that says it. */
  readonly source: string;
  /** Only in answers of calls whose template matches: a missing storage is not what a VM call is about. */
  readonly about?: RegExp;
  readonly lock?: (match: RegExpExecArray) => LockHeld;
}

/** What a refusal means, read from its texts. */
export interface Reading {
  readonly kind: PveErrorKind;
  readonly lock?: LockHeld;
  readonly missing?: MissingPrivilege;
}

/** Config locks that stay until a person acts: hibernated to disk, or half destroyed (behaviour of `check_lock`). */
const permanentLocks = new Set(["suspended", "destroyed"]);

function fileLock([, file = ""]: RegExpExecArray): LockHeld {
  const vmid = /lock-(\d+)\.conf$/.exec(file)?.[1];
  return { name: file, transient: true, ...(vmid === undefined ? {} : { vmid: Number(vmid) }) };
}

function configLock([, value = ""]: RegExpExecArray): LockHeld {
  return { name: value, transient: !permanentLocks.has(value), holder: value };
}

function clusterLock([, name = ""]: RegExpExecArray): LockHeld {
  return { name, transient: true };
}

/**
 * A worker runs only after the call that forked it has said so, and this one says so to none: it kills the process and
 * nothing was done. Waiting helps as it does with a lock.
 */
function noWorker(): LockHeld {
  return { name: "worker process", transient: true, isOverload: true };
}

function refusal(kind: PveErrorKind, pattern: RegExp, source: string, about?: RegExp): Matcher {
  return { kind, pattern, source, ...(about && { about }) };
}

function lock(pattern: RegExp, source: string, held: (match: RegExpExecArray) => LockHeld): Matcher {
  return { kind: "locked", pattern, source, lock: held };
}

/** In order: the first that matches decides, so what must not be mistaken for a plain lock stands before the locks. */
const matchers: readonly Matcher[] = [
  // The guest is half gone and its config reads `lock: destroyed`: a second try cannot succeed.
  refusal("conflict", /access permissions cleanup for VM \d+ failed/, "qemu-server: src/PVE/API2/Qemu.pm"),
  // The config is removed again but the disks stay: a second try would leave them behind a second time.
  refusal("conflict", /unable to create VM \d+ - can't add VM \d+ to pool/, "qemu-server: src/PVE/API2/Qemu.pm"),

  lock(/can't lock file '([^']+)' - got timeout/, "pve-common: src/PVE/Tools.pm", fileLock),
  lock(/cfs-lock '([^']+)' error: got lock request timeout/, "pve-cluster: src/PVE/Cluster.pm", clusterLock),
  lock(/'([^']+)'-locked command timed out - aborting/, "pve-cluster: src/PVE/Cluster.pm", clusterLock),
  lock(/(?:VM|CT) is locked \(([^)]+)\)/, "pve-guest-common: src/PVE/AbstractConfig.pm", configLock),
  lock(/got no worker upid - start worker failed/, "pve-common: src/PVE/RESTEnvironment.pm", noWorker),
  lock(/Failed to obtain (guest migration lock)/, "pve-guest-common: src/PVE/AbstractConfig.pm", clusterLock),

  refusal("permission", /403 Permission check failed/, "pve-access-control: src/PVE/RPCEnvironment.pm (in a task)"),
  refusal("permission", /only root can (?:set|modify) '[^']+' config/, "qemu-server: src/PVE/API2/Qemu.pm"),
  refusal("permission", /Only root may use this option\./, "qemu-server: src/PVE/API2/Qemu.pm"),
  refusal("permission", /Only root can pass arbitrary filesystem paths\./, "pve-storage: src/PVE/Storage.pm"),
  refusal("permission", /only allowed for root@pam/, "pve-container: src/PVE/LXC.pm"),

  refusal("not_found", /Configuration file '[^']+' does not exist/, "pve-guest-common: src/PVE/AbstractConfig.pm"),
  refusal(
    "not_found",
    /unable to find configuration file for VM \d+ on/,
    "pve-guest-common: src/PVE/AbstractConfig.pm",
  ),
  refusal("not_found", /^no such task$/, "pve-manager: PVE/API2/Tasks.pm"),
  refusal(
    "not_found",
    /snapshot '[^']+' does not exist/,
    "pve-guest-common: src/PVE/AbstractConfig.pm",
    /snapshot\/\{/,
  ),
  refusal("not_found", /storage '[^']+' does not exist/, "pve-storage: src/PVE/Storage.pm", /\/storage/),
  refusal("not_found", /volume '?[^ ']+'? does not exist/, "pve-storage: src/PVE/Storage.pm", /\/content\/\{/),
  refusal("not_found", /pool '[^']+' does not exist$/, "pve-manager: PVE/API2/Pool.pm", /^\/pools/),
  refusal("not_found", /no such (?:user|group) \('[^']+'\)/, "pve-access-control: src/PVE/AccessControl.pm"),
  refusal("not_found", /no such token '[^']+' for user/, "pve-access-control: src/PVE/AccessControl.pm"),
  refusal("not_found", /role '[^']+' does not exist/, "pve-access-control: src/PVE/API2/Role.pm", /access\/roles\/\{/),
  refusal("not_found", /no such resource '[^']+'/, "pve-ha-manager: src/PVE/API2/HA/Resources.pm"),
  refusal(
    "not_found",
    /cannot delete service '[^']+', not HA managed!/,
    "pve-ha-manager: src/PVE/API2/HA/Resources.pm",
  ),
  refusal("not_found", /no such ha rule '[^']+'/, "pve-ha-manager: src/PVE/API2/HA/Rules.pm"),
  refusal("not_found", /HA rule '[^']+' does not exist/, "pve-ha-manager: src/PVE/API2/HA/Rules.pm"),
  refusal("not_found", /mapping '[^']+' (?:not found|does not exist)/, "pve-manager: PVE/API2/Cluster/Mapping/PCI.pm"),
  refusal("not_found", /(?:pci|usb|dir) ID '[^']+' does not exist/, "pve-manager: PVE/API2/Cluster/Mapping/PCI.pm"),
  refusal("not_found", /interface does not exist/, "pve-manager: PVE/API2/Network.pm", /\/network\/\{/),

  refusal("exists", /unable to create VM \d+: config file already exists/, "qemu-server: src/PVE/API2/Qemu.pm"),
  refusal("exists", /(?:VM|CT) \d+ already exists on node/, "pve-cluster: src/PVE/Cluster.pm"),
  refusal("exists", /file '\/etc\/pve\/nodes\/[^']+\.conf' failed: File exists/, "pve-common: src/PVE/Tools.pm"),
  refusal("exists", /^(?:VM|CT) \d+ already exists$/, "pve-manager: PVE/API2/Cluster.pm"),
  refusal("exists", /snapshot name '[^']+' already used/, "pve-guest-common: src/PVE/AbstractConfig.pm"),
  refusal("exists", /storage ID '[^']+' already defined/, "pve-storage: src/PVE/API2/Storage/Config.pm"),
  refusal("exists", /(?:pool|user|role|group) '[^']+' already exists/, "pve-access-control: src/PVE/API2/User.pm"),
  refusal("exists", /Token already exists\./, "pve-access-control: src/PVE/API2/User.pm"),
  refusal("exists", /resource (?:ID )?'[^']+' already defined/, "pve-ha-manager: src/PVE/API2/HA/Resources.pm"),
  refusal("exists", /HA rule '[^']+' already defined/, "pve-ha-manager: src/PVE/API2/HA/Rules.pm"),
  refusal("exists", /(?:pci|usb|dir) ID '[^']+' already defined/, "pve-manager: PVE/API2/Cluster/Mapping/PCI.pm"),
  refusal("exists", /refusing to override existing file '[^']+'/, "pve-common: src/PVE/Tools.pm"),

  refusal("conflict", /checksum mismatch \(file change by other user\?\)/, "qemu-server: src/PVE/API2/Qemu.pm"),
  refusal("conflict", /detected modified configuration - file changed/, "pve-common: src/PVE/Tools.pm"),
  refusal("conflict", /unexpected state change/, "qemu-server: src/PVE/API2/Qemu.pm"),
  refusal("conflict", /protection mode enabled/, "pve-guest-common: src/PVE/AbstractConfig.pm"),
  refusal("conflict", /VM \d+ is running - destroy failed/, "qemu-server: src/PVE/API2/Qemu.pm"),
  refusal("conflict", /used in HA resources and purge parameter not set/, "qemu-server: src/PVE/API2/Qemu.pm"),
  refusal("conflict", /There is a replication job '[^']+'/, "pve-guest-common: src/PVE/ReplicationConfig.pm"),
  refusal("conflict", /base volume '[^']+' is still in use by linked cloned/, "pve-storage: src/PVE/Storage.pm"),
  refusal("conflict", /VM \d+ (?:already running|(?:is )?not running)/, "qemu-server: src/PVE/QemuServer.pm"),
  refusal("conflict", /you can't convert a VM to template if VM is running/, "qemu-server: src/PVE/API2/Qemu.pm"),
  refusal("conflict", /QEMU guest agent is not running/, "qemu-server: src/PVE/QemuServer/Agent.pm"),
  refusal("conflict", /No QEMU guest agent configured/, "qemu-server: src/PVE/QemuServer/Agent.pm"),
  refusal("conflict", /qga command '[^']+' failed - got timeout/, "qemu-server: src/PVE/QemuServer/Monitor.pm"),
  refusal("conflict", /pool '[^']+' is not empty/, "pve-manager: PVE/API2/Pool.pm"),

  refusal("unreachable", /no quorum/, "pve-cluster: src/PVE/Cluster.pm"),
];

/** Reads one refusal: every text PVE gave (message, per-parameter texts), for the call of that template. */
export function readTexts(texts: readonly string[], template: string | undefined): Reading | undefined {
  for (const { pattern, kind, about, lock } of matchers) {
    if (about !== undefined && !about.test(template ?? "")) {
      continue;
    }
    for (const text of texts) {
      const match = pattern.exec(text.trim());
      if (match !== null) {
        const missing = kind === "permission" ? readMissingPrivilege(text) : undefined;
        return { kind, ...(lock && { lock: lock(match) }), ...(missing && { missing }) };
      }
    }
  }
  return undefined;
}

/**
 * `Permission check failed (/vms/200, VM.Audit|VM.Config.Disk)` names path and privileges; checks combined with "or"
 * say nothing but the first three words (pve-access-control: src/PVE/RPCEnvironment.pm).
 */
export function readMissingPrivilege(text: string): MissingPrivilege | undefined {
  const match = /Permission check failed \((\/[^,]*), ([A-Z][A-Za-z.|]+)/.exec(text);
  const [, path, privileges] = match ?? [];
  return path === undefined || privileges === undefined
    ? undefined
    : { paths: [path], privileges: privileges.split("|") };
}

/** A pool named in a write and missing is told as 403 (pve-access-control: src/PVE/RPCEnvironment.pm). */
const missingPool = /Permission check failed \(pool '[^']+' does not exist\)/;

/** What the status line alone says; null where PVE's words decide (500, 400). */
export function readStatus(status: number, message: string): PveErrorKind | null {
  switch (status) {
    case 401:
      return "auth";
    case 403:
      return missingPool.test(message) ? "invalid" : "permission";
    case 400:
    case 500:
      return null;
    case 404:
      return "not_found"; // an unknown TFA entry, PVE's only 404
    case 501: // no such method on this host, body too large, DELETE with a body
    case 506:
      return "invalid";
    case 502:
    case 503:
    case 504:
      return "unreachable"; // a reverse proxy in front of PVE
    default:
      // 595 to 599: pveproxy could not reach the daemon or node that should do the work.
      return status >= 595 && status <= 599 ? "unreachable" : "malformed";
  }
}

/**
 * Whether the work may have been done although the answer says otherwise. 595 is "could not connect": nothing was
 * sent. 596 to 599 come after the request was handed on (pve-http-server: src/PVE/APIServer/AnyEvent.pm).
 */
export function mayHaveReachedWorker(status: number): boolean {
  return (status >= 596 && status <= 599) || status === 502 || status === 504;
}

/** The success test of a finished task, and nothing else is one (pve-common: src/PVE/RESTEnvironment.pm). */
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
 * The volume that a line of a task's log says could not be removed, and why: PVE destroys and moves VMs all the same
 * (qemu-server: src/PVE/QemuServer.pm, `destroy_vm`; src/PVE/QemuMigrate.pm, `phase3_cleanup`).
 */
export function readLeftVolume(line: string): { readonly volume: string; readonly reason: string } | null {
  const destroyed = /Could not remove disk '([^']+)'[^:]*:?\s*(.*)$/.exec(line);
  const [, volume, reason = ""] = destroyed ?? /removing local copy of '([^']+)' failed(?: - )?(.*)$/.exec(line) ?? [];
  return volume === undefined ? null : { volume, reason };
}

const usedByClones = /base volume '[^']+' is still in use by linked cloned/;

/** Whether a template's volumes are what linked clones are based on (qemu-server: src/PVE/QemuServer.pm, `destroy_vm`). */
export function isUsedByClones(message: string): boolean {
  return usedByClones.test(message);
}

/** The digest sent along is not that of the config any more (qemu-server: src/PVE/API2/Qemu.pm; pve-common: src/PVE/Tools.pm). */
export function isOutdated(message: string): boolean {
  return /checksum mismatch \(file change by other user\?\)|detected modified configuration - file changed/.test(
    message,
  );
}

/**
 * Whether all PVE complains about is that a running VM keeps the disk it booted from: the change is stored and waits for
 * the next start (qemu-server: src/PVE/QemuServer.pm, `vmconfig_hotplug_pending`).
 */
export function isOnlyDelayed(message: string): boolean {
  const rest = message.replace(/\w+: hotplug problem - can't unplug bootdisk '\w+'/g, "");
  return rest !== message && /^(400 )?Parameter verification failed[.:]?[\s;]*$/.test(rest);
}

/** A line of a shutdown's log: the guest took too long, or could not be asked (qemu-server: src/PVE/QemuServer.pm, `_do_vm_stop`). */
export const isForcedStop = (line: string): boolean => line.includes("terminating now with SIGTERM");

/** The guest did not shut down in its time and was not to be forced (same place). */
export const isShutdownTimeout = (message: string): boolean =>
  message.includes("VM quit/powerdown failed - got timeout");

/**
 * Whether a VM could not be made because of a cloud-init drive that an earlier one of its number has left: that name is fixed. Each
 * storage says so in its own words, with the volume's name in them (pve-storage: src/PVE/Storage/{Dir,LVM,LvmThin,RBD,ZFSPool}Plugin.pm).
 */
export function isCloudInitDriveInTheWay(message: string, vmid: number): boolean {
  return new RegExp(`vm-${vmid}-cloudinit\\b.*(?:exists|error)`, "is").test(message);
}
