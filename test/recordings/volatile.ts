import type { JsonObject } from "./recording.ts";

/**
 * What differs between two hosts or two runs, in one place.
 *
 * - any: the member must be there on both sides, its value is not compared
 * - opt: like any, and it may be missing
 * - skip: not looked at
 * - shape: members are compared, values are not
 * - csv: comma-separated list in any order
 * - soft: a difference is soft
 */
export type Treatment = "any" | "opt" | "skip" | "shape" | "csv" | "soft";

interface Rule {
  /** Matches the request's path. */
  readonly path: RegExp;
  /** Matches the place in the body, such as `data[].cpu`. */
  readonly place: RegExp;
  readonly treatment: Treatment;
  /** Only in objects for which this holds. */
  readonly of?: (object: JsonObject) => boolean;
}

const rule = (path: string, place: string, treatment: Treatment, of?: Rule["of"]): Rule => ({
  path: new RegExp(`^(?:${path})$`),
  place: new RegExp(`^(?:${place})$`),
  treatment,
  ...(of ? { of } : {}),
});

const isHostOrContainer = ({ type }: JsonObject) => ["node", "storage", "lxc", "network", "sdn"].includes(String(type));
const isRunning = ({ status }: JsonObject) => status === "running";
const usage = "cpu|mem|memhost|freemem|disk|diskread|diskwrite|netin|netout|uptime|pid";

/** The first rule that matches decides. */
export const rules: readonly Rule[] = [
  // The installation and the host.
  rule("/version", String.raw`data\.(version|release|repoid)`, "any"),
  rule("/nodes", String.raw`data\[\]\.(ssl_fingerprint|cpu|mem|maxmem|disk|maxdisk|uptime|maxcpu)`, "any"),
  rule("/nodes/[^/]+/status", String.raw`data\.(cpuinfo|current-kernel|boot-info|ksm|memory|rootfs|swap)`, "shape"),
  rule("/nodes/[^/]+/status", String.raw`data\.(wait|loadavg|cpu|pveversion|uptime|kversion|idle)`, "any"),
  rule("/cluster/status", String.raw`data\[\]\.ip`, "soft"),
  rule("/nodes/[^/]+/(network|hosts|dns).*", String.raw`data\[\]\.(exists|active|priority)`, "skip"),
  rule("/access/ticket", String.raw`data\.(ticket|CSRFPreventionToken)`, "any"),
  // Storage figures of the host; content lists come in hash order.
  rule("/nodes/[^/]+/storage", String.raw`data\[\]\.(used|avail|total|used_fraction)`, "any"),
  rule("/nodes/[^/]+/storage/[^/]+/status", String.raw`data\.(used|avail|total)`, "any"),
  rule(".*/storage.*", String.raw`data(\[\])?\.content`, "csv"),
  rule("/cluster/resources", String.raw`data\[\]\.content`, "csv"),
  rule(".*/storage/[^/]+/content", String.raw`data\[\]\.ctime`, "any"),
  rule(".*/storage/[^/]+/content", String.raw`data\[\]\.used`, "opt"),
  rule(".*/storage/[^/]+/content/.*", String.raw`data\.(used|ctime)`, "opt"),
  rule("/nodes/[^/]+/storage", String.raw`data\[\]\.(select_existing|formats)`, "opt"),
  // Figures of guests.
  rule(
    "/nodes/[^/]+/qemu/[^/]+/status/current",
    String.raw`data\.(ballooninfo|blockstat|nics|proxmox-support|running-machine|running-qemu|freemem|pressure\w+|clipboard|balloon_min|diskread|diskwrite)`,
    "opt",
  ),
  rule("/nodes/[^/]+/qemu/[^/]+/status/current", String.raw`data\.(${usage})`, "any"),
  rule("/nodes/[^/]+/qemu", String.raw`data\[\]\.(freemem|pressure\w+|balloon_min|diskread|diskwrite)`, "opt"),
  rule("/nodes/[^/]+/qemu", String.raw`data\[\]\.(${usage})`, "any"),
  rule("/cluster/resources", String.raw`data\[\]\.(maxmem|maxdisk|maxcpu|cgroup-mode)`, "any", isHostOrContainer),
  rule("/cluster/resources", String.raw`data\[\]\.memhost`, "opt"),
  rule("/cluster/resources", String.raw`data\[\]\.(${usage})`, "any"),
  rule("/pools.*", String.raw`data(\[\])?\.members\[\]\.(maxmem|maxdisk|maxcpu)`, "any", isHostOrContainer),
  rule("/pools.*", String.raw`data(\[\])?\.members\[\]\.memhost`, "opt"),
  rule("/pools.*", String.raw`data(\[\])?\.members\[\]\.(${usage})`, "any"),
  rule("/pools.*", String.raw`data(\[\])?\.members\[\]\.content`, "csv"),
  // Tasks and snapshots.
  rule("/nodes/[^/]+/tasks.*", String.raw`data(\[\])?\.(pid|pstart|starttime|endtime)`, "any"),
  rule("/cluster/tasks", String.raw`data\[\]\.(pid|pstart|starttime|endtime)`, "any"),
  rule("/nodes/[^/]+/tasks/[^/]+/log", "total", "any"),
  rule(".*/snapshot", String.raw`data\[\]\.snaptime`, "any"),
  rule(".*/snapshot/.*", String.raw`data\.snaptime`, "any"),
  rule("/nodes/[^/]+/(qemu|lxc)/[^/]+/config", String.raw`data\.snaptime`, "any"),
  // Containers.
  rule("/nodes/[^/]+/lxc/[^/]+/status/current", String.raw`data\.pressure\w+`, "opt"),
  rule("/nodes/[^/]+/lxc/[^/]+/status/current", String.raw`data\.(${usage}|swap)`, "any"),
  rule("/nodes/[^/]+/lxc/[^/]+/status/current", String.raw`data\.maxdisk`, "any", isRunning),
  rule("/nodes/[^/]+/lxc", String.raw`data\[\]\.pressure\w+`, "opt"),
  rule("/nodes/[^/]+/lxc", String.raw`data\[\]\.(${usage}|swap)`, "any"),
  rule("/nodes/[^/]+/lxc", String.raw`data\[\]\.maxdisk`, "any", isRunning),
  // Consoles and statistics.
  rule(
    ".*/(vncproxy|termproxy|spiceproxy)",
    String.raw`data\.(ticket|cert|port|password|ca|title|host|tls-port|proxy|upid)`,
    "any",
  ),
  rule(".*/rrddata", String.raw`data\[\].*`, "any"),
  // Storage definitions, scans and backups.
  rule(".*/storage.*", String.raw`data(\[\])?\.nodes`, "csv"),
  rule("/nodes/[^/]+/scan/.*", String.raw`data\[\]\.(size|free|mediasize|lv_size|metadata_size|used)`, "any"),
  rule(".*/storage/[^/]+/content", String.raw`data\[\]\.size`, "any", ({ content }) => content === "backup"),
  rule(".*/storage/[^/]+/content/.*", String.raw`data\.size`, "any", ({ path }) =>
    /backup|\/dump\//.test(String(path)),
  ),
  rule("/cluster/backup", String.raw`data\[\]\.next-run`, "any"),
  rule("/cluster/backup/[^/]+", String.raw`data\.next-run`, "any"),
  rule("/nodes/[^/]+/replication.*", String.raw`data(\[\])?\.(next_sync|last_sync|last_try|duration|pid)`, "any"),
  // Access, cluster and nodes.
  rule("/access/roles", String.raw`data\[\]\.privs`, "csv"),
  rule("/cluster/firewall/options", String.raw`data\.enable`, "any", ({ enable }) => Number(enable) > 10 ** 9),
  rule("/access/tfa.*", String.raw`data(\[\])?(\.entries\[\])?\.created`, "any"),
  rule("/access/tfa/[^/]+", String.raw`data\.recovery`, "any"),
  rule("/cluster/jobs/realm-sync", String.raw`data\[\]\.(next-run|last-run)`, "any"),
  rule("/nodes/[^/]+/network/[^/]+", String.raw`data\.(exists|active|priority)`, "skip"),
  rule("/cluster/ha/status.*", String.raw`data.*\.(timestamp|pid)`, "any"),
  rule("/cluster/acme/challenge-schema", "data", "skip"),
  rule("/cluster/acme/plugins.*", String.raw`errors\.api`, "any"),
  rule("/nodes/[^/]+/time", String.raw`data\.(time|localtime)`, "any"),
  rule(".*/capabilities/qemu/cpu-flags", "data", "skip"),
  // The order of HA rules is that of a Perl hash.
  rule("/cluster/ha/rules.*", String.raw`data(\[\])?\.order`, "any"),
  rule(".*/prunebackups", String.raw`data\[\]\.ctime`, "any"),
];

/** Lists of objects are compared as sets, except these. */
export const orderedLists =
  /^(\/nodes\/[^/]+\/tasks\/[^/]+\/log|.*\/firewall\/rules|.*\/firewall\/groups\/[^/]+|.*\/agent\/.*)$/;
/** Their order depends on what ended first. */
export const looselyOrderedLists = /^(\/nodes\/[^/]+\/tasks|\/cluster\/tasks)$/;

/** Members that identify an element of a list; the first that every element has. */
export const keys = [
  ...["volid", "vmid", "storage", "userid", "full-tokenid", "tokenid", "roleid", "groupid", "poolid", "realm"],
  ...["iface", "sid", "rule", "key", "id", "subdir", "name", "node"],
];
export const generatedKey = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Lines of task logs that tools below the recorded API wrote, and progress meters. */
export const toolLines = [
  /^INFO: +\d+% \(.*/,
  /^INFO: (transferred|archive file size:|Total bytes written:|starting new backup job:) .*/,
  /^Creating filesystem with .*/,
  /^Filesystem UUID: .*/,
  /^Superblock backups stored on blocks:.*/,
  /^\s+\d+(, \d+)*,?\s*$/,
  /^Total bytes (read|written): .*/,
  /^losetup: .*/,
  /^Number of .*/,
  /^Total (file|transferred|bytes).*/,
  /^(Literal|Matched) data: .*/,
  /^File list .*/,
  /^sent .* bytes .*/,
  /^total size is .*/,
  /^Discarding device blocks.*/,
  /^(Allocating group tables|Writing inode tables|Creating journal|Writing superblocks).*/,
  /^\s*Sum of all thin volume sizes .*/,
  /^\s*You have not turned on protection .*/,
  /^\s*Set activation\/thin_pool.*/,
  /^resize2fs .*/,
  /^(The filesystem on|Filesystem at) .*/,
  /^old_desc_blocks.*/,
  /^transferred .*\(\d+\.\d+%\).*/,
  /^mirror-\w+: transferred .*/,
  /^\s*(Logical volume|Rounding up size|Reducing|Renamed|Wiping|Size of logical volume) .*/,
  /^\s*WARNING: .*thin.*/,
  /^Formatting '.*/,
  /^swtpm_setup: .*/,
  /^generating cloud-init ISO$/,
  /^Image resized\.$/,
  /^progress \d+.*/,
  /^\d+%.*/,
  /^(file written to|starting file import|target node:|target file:|file size is:|command: cp|finished file import) .*/,
];

interface Token {
  /** Values of a kind keep their identity: one recorded value always stands for the same value here. */
  readonly kind: "upid" | "uuid" | "mac" | "digest" | null;
  readonly pattern: RegExp;
  readonly replacement: string;
}

const token = (kind: Token["kind"], pattern: RegExp, replacement: string): Token => ({ kind, pattern, replacement });

/** Parts of texts that differ in every run. */
export const tokens: readonly Token[] = [
  token(
    "upid",
    /UPID:([^:\s]+):[0-9A-Fa-f]{8}:[0-9A-Fa-f]{8,9}:[0-9A-Fa-f]{8}:([^:\s]*):([^:\s]*):([^:\s]+):/g,
    "UPID:$1:<P>:<S>:<T>:$2:$3:$4:",
  ),
  token("uuid", /\b[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}\b/g, "<UUID>"),
  token(
    "mac",
    /(?<![0-9A-Fa-f:])((?:[0-9A-Fa-f]{2}:){3})(?:[0-9A-Fa-f]{2}:){2}[0-9A-Fa-f]{2}(?![0-9A-Fa-f:])/g,
    "$1<MAC>",
  ),
  token("digest", /\b[0-9a-f]{40}\b/g, "<DIGEST>"),
  token(null, /\b\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d+ [+-]\d{4}/g, "<MTIME>"),
  token("digest", /\b[0-9a-f]{64}\b/g, "<DIGEST>"),
  token(null, /\$[156y]\$[./0-9A-Za-z$=,]+/g, "<CRYPT>"),
  token(null, /\bctime=\d+/g, "ctime=<T>"),
  token(null, /creation-qemu=[\w.+-]+/g, "creation-qemu=<V>"),
  token(null, /\b1[6-9]\d{8}\b/g, "<T>"),
  token(null, /\b20\d\d_\d\d_\d\d-\d\d_\d\d_\d\d\b/g, "<STAMP>"),
  token(null, /\b20\d\d-\d\d-\d\d[ T]\d\d:\d\d:\d\d(Z|[+-]\d\d:\d\d)?/g, "<TIME>"),
  token(null, /\b\d\d:\d\d:\d\d\b(?![:0-9A-Fa-f])/g, "<CLOCK>"),
  token(null, /pveupload-[0-9a-f]+/g, "pveupload-<X>"),
  token(null, /vzdumptmp\d+(_\d+)?/g, "vzdumptmp<P>"),
  token(null, /\/dev\/loop\d+/g, "/dev/loop<N>"),
  token(null, /\btmp_\d+_(\d+)/g, "tmp_<P>_$1"),
  token(null, /\/proc\/\d+(?=\/)/g, "/proc/<P>"),
  token(null, /waiting for port '\d+'/g, "waiting for port '<N>'"),
  token(null, /\bpc-(i440fx|q35)-\d+\.\d+(\+pve\d+)?/g, "pc-$1-<V>"),
];

/** Ends and Perl positions that depend on the host; texts that differ only here differ softly. */
export const softParts = [
  / at (\/usr\/share\/perl5|\/usr\/lib|\/usr\/bin|\/usr\/sbin)\S* line \d+(, <\w+> (line|chunk) \d+)?\./g,
  /,ms-cert=\w+/g,
  /\s+$/g,
];
