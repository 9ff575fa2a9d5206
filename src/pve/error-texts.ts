import type { LockHeld, MissingPrivilege, PveErrorKind } from "./errors.ts";

/**
 * What kind of failure each of PVE's texts and status codes is. PVE answers nearly every failure with 500 and a sentence,
 * so the sentence is the protocol. Each pattern is case-exact and names the file that emits it. Texts of PVE are here and in
 * `single-texts.ts` only.
 */
interface Matcher {
  readonly pattern: RegExp;
  readonly kind: PveErrorKind;
  /** `package: file` of the Perl source that emits it. */
  readonly source: string;
  /** Only in responses to calls whose template matches: a missing storage is not the subject of a VM call. */
  readonly about?: RegExp;
  readonly lock?: (match: RegExpExecArray) => LockHeld;
  readonly isInUse?: true;
}

/** The meaning of a refusal, read from its texts. */
export interface Reading {
  readonly kind: PveErrorKind;
  readonly lock?: LockHeld;
  readonly missing?: MissingPrivilege;
  readonly isInUse?: true;
}

/**
 * Config locks that stay until an administrator acts: hibernated to disk, or half destroyed (behaviour of
 * `check_lock`).
 */
const permanentLocks = new Set(["suspended", "destroyed"]);

function fileLock([, file = ""]: RegExpExecArray): LockHeld {
  const vmid = /(?:lock-(\d+)\.conf|pve-config-(\d+)\.lock)$/.exec(file)?.slice(1).find(Boolean);
  return { name: file, transient: true, ...(vmid === undefined ? {} : { vmid: Number(vmid) }) };
}

function configLock([, value = ""]: RegExpExecArray): LockHeld {
  return { name: value, transient: !permanentLocks.has(value), holder: value };
}

function clusterLock([, name = ""]: RegExpExecArray): LockHeld {
  return { name, transient: true };
}

function halfDestroyed([, vmid]: RegExpExecArray): LockHeld {
  return { name: "destroyed", transient: false, vmid: Number(vmid) };
}

/**
 * A worker runs only after the call that forked it has confirmed it; here that confirmation is lost, so PVE kills the
 * process and nothing was done. Waiting helps, as with a lock.
 */
function noWorker(): LockHeld {
  return { name: "worker process", transient: true, isOverload: true };
}

/** The lock of the whole SDN, whose holder PVE does not show. */
function sdnLock(): LockHeld {
  return { name: "SDN", transient: true, mayStay: true };
}

function refusal(kind: PveErrorKind, pattern: RegExp, source: string, about?: RegExp): Matcher {
  return { kind, pattern, source, ...(about && { about }) };
}

/** PVE keeps it while another object refers to it. */
function inUse(pattern: RegExp, source: string): Matcher {
  return { kind: "conflict", pattern, source, isInUse: true };
}

function lock(pattern: RegExp, source: string, held: (match: RegExpExecArray) => LockHeld): Matcher {
  return { kind: "locked", pattern, source, lock: held };
}

/** In order: the first match decides, so texts that must not be taken for a plain lock come before the locks. */
const matchers: readonly Matcher[] = [
  // Its config has nothing but this lock by then, so a second attempt cannot succeed.
  lock(/access permissions cleanup for VM (\d+) failed/, "qemu-server: src/PVE/API2/Qemu.pm", halfDestroyed),
  // The config is removed again but the disks stay: a second attempt would leave further disks behind.
  refusal("conflict", /unable to create VM \d+ - can't add VM \d+ to pool/, "qemu-server: src/PVE/API2/Qemu.pm"),

  lock(/can't lock file '([^']+)' - got timeout/, "pve-common: src/PVE/Tools.pm", fileLock),
  lock(/cfs-lock '([^']+)' error: got lock request timeout/, "pve-cluster: src/PVE/Cluster.pm", clusterLock),
  lock(/'([^']+)'-locked command timed out - aborting/, "pve-cluster: src/PVE/Cluster.pm", clusterLock),
  lock(/(?:VM|CT) is locked \(([^)]+)\)/, "pve-guest-common: src/PVE/AbstractConfig.pm", configLock),
  lock(/got no worker upid - start worker failed/, "pve-common: src/PVE/RESTEnvironment.pm", noWorker),
  lock(/Failed to obtain (guest migration lock)/, "pve-guest-common: src/PVE/AbstractConfig.pm", clusterLock),

  lock(/invalid lock token provided!/, "pve-network: src/PVE/Network/SDN.pm", sdnLock),

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
  refusal(
    "not_found",
    /group '[^']+' does not exist/,
    "pve-access-control: src/PVE/API2/Group.pm",
    /access\/groups\/\{/,
  ),
  refusal("not_found", /no such token '[^']+' for user/, "pve-access-control: src/PVE/AccessControl.pm"),
  refusal("not_found", /role '[^']+' does not exist/, "pve-access-control: src/PVE/API2/Role.pm", /access\/roles\/\{/),
  refusal(
    "not_found",
    /domain '[^']+' does not exist|cannot lookup undefined type!/,
    "pve-access-control: src/PVE/API2/Domains.pm",
    /access\/domains\/\{/,
  ),
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
  refusal(
    "not_found",
    /status server entry '[^']+' does not exist|no such server '[^']+'|cannot lookup undefined type!/,
    "pve-manager: PVE/API2/Cluster/MetricServer.pm",
    /metrics\/server\/\{/,
  ),
  refusal(
    "not_found",
    /ACME account config file '[^']+' does not exist/,
    "pve-manager: PVE/API2/ACMEAccount.pm",
    /acme\/account\/\{/,
  ),
  refusal(
    "not_found",
    /ACME plugin (?:ID )?'[^']+' (?:not defined|does not exist)/,
    "pve-manager: PVE/API2/ACMEPlugin.pm",
    /acme\/plugins\/\{/,
  ),
  refusal(
    "not_found",
    /(?:Custom cputype|custom CPU model) '[^']+' (?:not found|does not exist)/,
    "pve-manager: PVE/API2/Cluster/Qemu/CustomCPUModels.pm",
    /custom-cpu-models\/\{/,
  ),
  refusal("not_found", /^no such alias$/, "pve-firewall: src/PVE/API2/Firewall/Aliases.pm", /aliases\/\{/),
  refusal(
    "not_found",
    /No such job '[^']+'|no such (?:vzdump|realm-sync) job/,
    "pve-manager: PVE/API2/Backup.pm, pve-access-control: src/PVE/API2/Jobs/RealmSync.pm",
    /cluster\/(?:backup|jobs\/realm-sync)\/\{/,
  ),
  refusal("not_found", /^no such IPSet '[^']+'/, "pve-firewall: src/PVE/API2/Firewall/IPSet.pm", /ipset\/\{/),
  refusal("not_found", /^no such IP\/Network$/, "pve-firewall: src/PVE/API2/Firewall/IPSet.pm", /ipset\/\{/),
  refusal(
    "not_found",
    /^no such security group '[^']+'/,
    "pve-firewall: src/PVE/API2/Firewall/Groups.pm",
    /groups\/\{/,
  ),
  refusal(
    "not_found",
    /^invalid vnet specified/,
    "pve-firewall: src/PVE/API2/Firewall/Helpers.pm",
    /vnets\/\{vnet\}\/firewall/,
  ),
  refusal(
    "not_found",
    /no such (?:replication )?job '[^']+'/,
    "pve-manager: PVE/API2/ReplicationConfig.pm",
    /replication\/\{/,
  ),
  refusal("not_found", /interface does not exist/, "pve-manager: PVE/API2/Network.pm", /\/network\/\{/),

  refusal(
    "not_found",
    /fabric '[^']+' does not exist in configuration|node '[^']+' does not exist in fabric/,
    "proxmox-ve-rs: src/PVE/SDN/Fabrics.pm",
    /\/fabrics\//,
  ),
  refusal(
    "not_found",
    /^\S+ doesn't exist$|could not find (?:prefix list|route map entry) with id/i,
    "pve-network: src/PVE/API2/Network/SDN/PrefixLists.pm, RouteMaps.pm",
    /\/(?:prefix-lists|route-maps)\//,
  ),
  refusal(
    "not_found",
    /sdn (?:vnet |subnet )?'[^']+' does not exist/,
    "pve-network: src/PVE/API2/Network/SDN/Zones.pm",
    /\/sdn\//,
  ),
  refusal("not_found", /IP '[^']+' does not exist in IPAM DB/, "pve-network: src/PVE/Network/SDN/Ipams/PVEPlugin.pm"),

  refusal("exists", /unable to create VM \d+: config file already exists/, "qemu-server: src/PVE/API2/Qemu.pm"),
  refusal("exists", /(?:VM|CT) \d+ already exists on node/, "pve-cluster: src/PVE/Cluster.pm"),
  refusal("exists", /file '\/etc\/pve\/nodes\/[^']+\.conf' failed: File exists/, "pve-common: src/PVE/Tools.pm"),
  refusal("exists", /^(?:VM|CT) \d+ already exists$/, "pve-manager: PVE/API2/Cluster.pm"),
  refusal("exists", /snapshot name '[^']+' already used/, "pve-guest-common: src/PVE/AbstractConfig.pm"),
  refusal("exists", /storage ID '[^']+' already defined/, "pve-storage: src/PVE/API2/Storage/Config.pm"),
  refusal("exists", /(?:pool|user|role|group) '[^']+' already exists/, "pve-access-control: src/PVE/API2/User.pm"),
  refusal("exists", /domain '[^']+' already exists/, "pve-access-control: src/PVE/API2/Domains.pm"),
  refusal("exists", /Token already exists\./, "pve-access-control: src/PVE/API2/User.pm"),
  refusal("exists", /resource (?:ID )?'[^']+' already defined/, "pve-ha-manager: src/PVE/API2/HA/Resources.pm"),
  refusal("exists", /HA rule '[^']+' already defined/, "pve-ha-manager: src/PVE/API2/HA/Rules.pm"),
  refusal("exists", /(?:pci|usb|dir) ID '[^']+' already defined/, "pve-manager: PVE/API2/Cluster/Mapping/PCI.pm"),
  refusal("exists", /Metric server '[^']+' already exists/, "pve-manager: PVE/API2/Cluster/MetricServer.pm"),
  refusal("exists", /an entity with the same name already exists/, "pve-manager: PVE/API2/Cluster/Notifications.pm"),
  refusal("exists", /replication job '[^']+' already exists/, "pve-guest-common: src/PVE/ReplicationConfig.pm"),
  refusal("exists", /Job '[^']+' already exists/, "pve-manager: PVE/API2/Backup.pm"),
  refusal("exists", /ACME account config file '[^']+' already exists/, "pve-manager: PVE/API2/ACMEAccount.pm"),
  refusal("exists", /ACME plugin ID '[^']+' already exists/, "pve-manager: PVE/API2/ACMEPlugin.pm"),
  refusal("exists", /custom CPU model '[^']+' already exists/, "pve-manager: PVE/API2/Cluster/Qemu/CustomCPUModels.pm"),
  refusal("exists", /alias '[^']+' already exists/, "pve-firewall: src/PVE/API2/Firewall/Aliases.pm"),
  refusal("exists", /(?:fabric|node) '[^']+' already exists in config/, "proxmox-ve-rs: src/PVE/SDN/Fabrics.pm"),
  refusal(
    "exists",
    /(?:prefix list|route map entry) already exists in configuration/,
    "proxmox-ve-rs: proxmox-ve-config/src/sdn",
  ),
  refusal("exists", /interface already exists/, "pve-manager: PVE/API2/Network.pm"),
  refusal("exists", /IP '[^']+' already exist/, "pve-network: src/PVE/Network/SDN/Ipams/PVEPlugin.pm"),
  refusal("exists", /sdn \w+ object ID '[^']+' already defined/, "pve-network: src/PVE/API2/Network/SDN/Zones.pm"),
  refusal(
    "exists",
    /IPSet '[^']+' (?:already exists|does already exist)/,
    "pve-firewall: src/PVE/API2/Firewall/IPSet.pm",
  ),
  refusal(
    "exists",
    /Security group '[^']+' (?:already exists|does already exist)/,
    "pve-firewall: src/PVE/API2/Firewall/Groups.pm",
  ),
  refusal("exists", /refusing to override existing file '[^']+'/, "pve-common: src/PVE/Tools.pm"),

  refusal("conflict", /checksum mismatch \(file change by other user\?\)/, "qemu-server: src/PVE/API2/Qemu.pm"),
  refusal("conflict", /detected modified configuration - file changed/, "pve-common: src/PVE/Tools.pm"),
  refusal("conflict", /unexpected state change/, "qemu-server: src/PVE/API2/Qemu.pm"),
  refusal("conflict", /protection mode enabled/, "pve-guest-common: src/PVE/AbstractConfig.pm"),
  refusal("conflict", /VM \d+ is running - destroy failed/, "qemu-server: src/PVE/API2/Qemu.pm"),
  refusal("conflict", /used in HA resources and purge parameter not set/, "qemu-server: src/PVE/API2/Qemu.pm"),
  refusal("conflict", /There is a replication job '[^']+'/, "pve-guest-common: src/PVE/ReplicationConfig.pm"),
  refusal("conflict", /base volume '[^']+' is still in use by linked clone[sd]/, "pve-storage: src/PVE/Storage.pm"),
  refusal("conflict", /VM \d+ (?:already running|(?:is )?not running)/, "qemu-server: src/PVE/QemuServer.pm"),
  refusal("conflict", /CT \d+ (?:already running|not running)/, "pve-container: src/PVE/API2/LXC/Status.pm"),
  refusal("conflict", /unable to destroy CT \d+ - container is running/, "pve-container: src/PVE/API2/LXC.pm"),
  refusal("conflict", /cannot move volumes of a running container/, "pve-container: src/PVE/API2/LXC.pm"),
  refusal("conflict", /disk is already at specified size/, "pve-container: src/PVE/API2/LXC.pm"),
  refusal("conflict", /you can't convert a CT to template if the CT is running/, "pve-container: src/PVE/API2/LXC.pm"),
  refusal("conflict", /you can't convert a VM to template if VM is running/, "qemu-server: src/PVE/API2/Qemu.pm"),
  refusal("conflict", /QEMU guest agent is not running/, "qemu-server: src/PVE/QemuServer/Agent.pm"),
  refusal("conflict", /No QEMU guest agent configured/, "qemu-server: src/PVE/QemuServer/Agent.pm"),
  refusal("conflict", /qga command '[^']+' failed - got timeout/, "qemu-server: src/PVE/QemuServer/Monitor.pm"),
  refusal("conflict", /(?:IPSet|Security group) '[^']+' is not empty/, "pve-firewall: src/PVE/API2/Firewall/IPSet.pm"),

  inUse(/cannot delete '[^']+', referenced by: /, "pve-manager: PVE/API2/Cluster/Notifications.pm"),
  inUse(/pool '[^']+' is not empty/, "pve-manager: PVE/API2/Pool.pm"),
  inUse(/pool '[^']+' is in use by storage/, "pve-manager: PVE/API2/Ceph/Pool.pm"),
  inUse(/zone \S+ is used by vnet/, "pve-network: src/PVE/Network/SDN/Zones/Plugin.pm"),
  inUse(/controller \S+ is used by/, "pve-network: src/PVE/Network/SDN/Controllers/EvpnPlugin.pm"),
  inUse(/this fabric is still used in/, "pve-network: src/PVE/API2/Network/SDN/Fabrics/Fabric.pm"),
  inUse(/prefix list \S+ is still referenced by/, "pve-network: src/PVE/API2/Network/SDN/PrefixLists.pm"),
  inUse(/route map \S+ still referenced by controller/, "pve-network: src/PVE/API2/Network/SDN/RouteMaps.pm"),
  inUse(/Can't delete vnet if subnets exists/, "pve-network: src/PVE/API2/Network/SDN/Vnets.pm"),

  refusal("unreachable", /no quorum/, "pve-cluster: src/PVE/Cluster.pm"),
];

/** Reads one refusal: every text from PVE (message, per-parameter texts), for the call of that template. */
export function readTexts(texts: readonly string[], template: string | undefined): Reading | undefined {
  for (const { pattern, kind, about, lock, isInUse } of matchers) {
    if (about !== undefined && !about.test(template ?? "")) {
      continue;
    }
    for (const text of texts) {
      const match = pattern.exec(text.trim());
      if (match !== null) {
        const missing = kind === "permission" ? readMissingPrivilege(text) : undefined;
        return {
          kind,
          ...(lock && { lock: lock(match) }),
          ...(missing && { missing }),
          ...(isInUse && { isInUse }),
        };
      }
    }
  }
  return undefined;
}

/**
 * `Permission check failed (/vms/200, VM.Audit|VM.Config.Disk)` names path and privileges; checks combined with "or"
 * contain only the first three words (pve-access-control: src/PVE/RPCEnvironment.pm).
 */
export function readMissingPrivilege(text: string): MissingPrivilege | undefined {
  const match = /Permission check failed \((\/[^,]*), ([A-Z][A-Za-z.|]+)/.exec(text);
  const [, path, privileges] = match ?? [];
  return path === undefined || privileges === undefined
    ? undefined
    : { paths: [path], privileges: privileges.split("|") };
}

/**
 * Parameters that a refusal inside another one names, where PVE puts no map beside its text: `create sdn vnet object failed:
 * 400 Parameter verification failed.`, then a line for each (pve-common: src/PVE/Exception.pm).
 */
export function readWrappedParameters(text: string): Readonly<Record<string, string>> | undefined {
  const [, lines] = /: 400 Parameter verification failed\.\n(.+)$/s.exec(text) ?? [];
  const pairs = [...(lines ?? "").matchAll(/^([\w-]+): (.+)$/gm)].map(([, name = "", fault = ""]) => [name, fault]);
  return pairs.length === 0 ? undefined : Object.fromEntries(pairs.sort(([a = ""], [b = ""]) => (a < b ? -1 : 1)));
}

/** PVE answers a write that names a missing pool with 403 (pve-access-control: src/PVE/RPCEnvironment.pm). */
const missingPool = /Permission check failed \(pool '[^']+' does not exist\)/;

/** The meaning of the status code alone; null where PVE's text decides (500, 400). */
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
    case 429: // nothing was done: it asks for fewer requests
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
 * Whether the work may have been done in spite of the error. 595 is "could not connect": nothing was sent. 596 to 599
 * come after the request was passed on (pve-http-server: src/PVE/APIServer/AnyEvent.pm).
 */
export function mayHaveReachedWorker(status: number): boolean {
  return (status >= 596 && status <= 599) || status === 502 || status === 504;
}
