import type { Caller } from "../core/access/caller.ts";
import { type Call, endpoint } from "../core/kernel/endpoint.ts";
import { die, failureText, paramError } from "../core/kernel/failure.ts";
import type { Process, Task } from "../core/kernel/process.ts";
import { type Parsed, parsePropertyString, printPropertyString } from "../core/schema/property-string.ts";
import { boolean, string } from "../core/schema/schema.ts";
import { node, storageId } from "../core/schema/standard-options.ts";
import type { BackupArchive, Storage } from "../core/world/storage.ts";
import type { World } from "../core/world/world.ts";
import { sectionText } from "../guests/config-text.ts";
import { containerText } from "../lxc/container.ts";
import { checkVolumeAccess } from "../storage/access.ts";
import { pruneBackupsFormat } from "../storage/formats.ts";
import { getEnabledStorage, getStorage, holds } from "../storage/storages.ts";
import { contentDirectory } from "../storage/volume-name.ts";
import { describeVolume, findVolume } from "../storage/volumes.ts";
import { backUpGuest } from "./guest-backup.ts";
import { backupJobId, fleecingFormat, vzdumpOptions } from "./options.ts";
import { checkSelection, selectGuests } from "./selection.ts";
import type { BackupOptions } from "./work.ts";

// pve-manager `PVE/API2/VZDump.pm` and `PVE/VZDump.pm`.

/** `read_vzdump_defaults`, on a node without its own settings. */
const defaults = {
  all: 0,
  bwlimit: 0,
  compress: "0",
  fleecing: { enabled: 0 },
  ionice: 7,
  lockwait: 180,
  mailnotification: "always",
  mode: "snapshot",
  "notification-mode": "auto",
  performance: { "max-workers": 16, "pbs-entries-max": 1_048_576 },
  pigz: 0,
  "prune-backups": "keep-all=1",
  quiet: 0,
  remove: 1,
  stdexcludes: 1,
  stop: 0,
  stopwait: 10,
  zstd: 1,
} as const;

/** `storage_info`: a storage that accepts backups. */
function backupStorage(world: World, id: string): Storage {
  const storage = getStorage(world, id);
  return holds(storage, "backup") ? storage : die(`can't use storage '${id}' for backups - wrong content type`);
}

function retentionOf(text: string): Parsed {
  return parsePropertyString(pruneBackupsFormat, text);
}

/** `assert_param_permission_common`. */
export function checkOptionPrivileges(
  caller: Caller,
  given: Readonly<Record<string, unknown>>,
  isDeletion = false,
): void {
  if (caller.isRoot) {
    return;
  }
  const reserved = ["tmpdir", "dumpdir", "script", "job-id"].find((name) => name in given);
  if (reserved !== undefined) {
    paramError({ [reserved]: "Only root may set this option." });
  }
  if (["bwlimit", "ionice", "performance"].some((name) => given[name] !== undefined)) {
    caller.check("/", ["Sys.Modify"]);
  }
  const fleecing = isDeletion ? undefined : (given["fleecing"] as string | undefined);
  const { storage } = fleecing === undefined ? {} : parsePropertyString(fleecingFormat, fleecing);
  if (storage !== undefined) {
    caller.check(`/storage/${storage}`, ["Datastore.AllocateSpace"]);
  }
}

/** `new`: a problem with the backup target ends the job before it starts. */
function openStorage(task: Process, id: string): Storage {
  const problems: string[] = [];
  let storage: Storage | undefined;
  const attempt = (what: string, action: () => void) => {
    try {
      action();
    } catch (thrown) {
      problems.push(`could not ${what} '${id}': ${failureText(thrown).trimEnd()}`);
    }
  };
  attempt("activate storage", () => getEnabledStorage(task.sim.world, id, task.node));
  attempt("get storage information for", () => {
    storage = backupStorage(task.sim.world, id);
  });
  return problems.length === 0 && storage !== undefined ? storage : die(problems.join("\n"));
}

function commandLine(given: Readonly<Record<string, string>>): string {
  const { vmid, "job-id": _id, stdout: _stdout, ...options } = given;
  const quote = (value: string) => (/^[\w@%+=:,./-]*$/.test(value) ? value : `'${value}'`);
  const flags = Object.entries(options).map(([name, value]) => ` --${name} ${quote(value)}`);
  return `vzdump${vmid === undefined ? "" : ` ${vmid.replaceAll(/[,;\s]+/g, " ")}`}${flags.join("")}`;
}

export interface BackupJob {
  readonly given: Readonly<Record<string, string>>;
  readonly vmids: readonly number[];
  /** Guests of other nodes, which are skipped. */
  readonly skipped: readonly number[];
}

/** `exec_backup`: the whole job in one worker. */
export async function runBackupJob(task: Task, { given, vmids, skipped }: BackupJob): Promise<void> {
  const storage = openStorage(task, given["storage"] ?? "local");
  const retention = given["prune-backups"] ?? storage.options["prune-backups"] ?? defaults["prune-backups"];
  const keep = retentionOf(retention);
  const options: BackupOptions = {
    storage,
    mode: given["mode"] ?? defaults.mode,
    compress: given["compress"] ?? defaults.compress,
    bwlimit: Number(given["bwlimit"] ?? defaults.bwlimit),
    ionice: Number(given["ionice"] ?? defaults.ionice),
    stopSeconds: Number(given["stopwait"] ?? defaults.stopwait) * 60,
    keep,
    remove: given["remove"] !== "0" && keep["keep-all"] !== "1",
    notes: given["notes-template"],
    isProtected: given["protected"] === "1",
  };
  const lockSeconds = Number(given["lockwait"] ?? defaults.lockwait) * 60;
  await task.lock({ kind: "flock", id: "/var/run/vzdump.lock" }, { seconds: lockSeconds }, async () => {
    task.print(`INFO: starting new backup job: ${commandLine(given)}`);
    if (skipped.length > 0) {
      task.print(`INFO: skip external VMs: ${skipped.join(", ")}`);
    }
    const isAllowed = (id: number) => {
      if (task.sim.world.guests[id] === undefined || given["all"] === "1") {
        return given["all"] !== "1" || task.caller.has(`/vms/${id}`, ["VM.Backup"]);
      }
      task.caller.check(`/vms/${id}`, ["VM.Backup"]);
      return true;
    };
    const allowed = vmids.filter(isAllowed);
    let failures = 0;
    for (const id of allowed) {
      failures += (await backUpGuest(task, id, options)) ? 0 : 1;
    }
    task.print(`INFO: Backup job finished ${failures > 0 ? "with errors" : "successfully"}`);
    task.print("INFO: notified via target `mail-to-root`");
    task.print("notified via target `mail-to-root`");
    if (failures > 0) {
      die("job errors");
    }
  });
}

function startBackup(call: Call): string {
  const { caller, world } = call;
  const { stdout, ...given } = call.given;
  if (stdout === "1") {
    paramError({ stdout: "option is only allowed on the command line interface." });
  }
  checkOptionPrivileges(caller, given);
  const storage = given["storage"] || "local";
  if (!caller.isRoot && given["prune-backups"] !== undefined && given["dumpdir"] === undefined) {
    caller.check(`/storage/${storage}`, ["Datastore.Allocate"]);
  }
  checkSelection(given, true);
  const byNode = selectGuests(world, { ...given, node: call.node });
  const all = selectGuests(world, given);
  const vmids = [...(byNode.get(call.node) ?? []), ...(byNode.get("") ?? [])].sort((a, b) => a - b);
  if (given["stop"] === "1") {
    caller.check(`/nodes/${call.node}`, ["Sys.Modify"]);
    stopRunningBackups(call);
  }
  if (vmids.length === 0 && given["all"] !== "1") {
    return "OK";
  }
  if (given["dumpdir"] === undefined) {
    caller.check(`/storage/${storage}`, ["Datastore.AllocateSpace"]);
  }
  const skipped = [...all].filter(([name]) => name !== call.node && name !== "").flatMap(([, ids]) => ids);
  const id = vmids.length === 1 ? String(vmids[0]) : "";
  return call.worker("vzdump", id, (task) => runBackupJob(task, { given, vmids, skipped }));
}

function stopRunningBackups({ sim, node: here }: Process): void {
  const running = sim.world.tasks.filter(
    (task) => task.type === "vzdump" && task.node === here && task.exitstatus === undefined,
  );
  for (const { upid } of running) {
    void sim.workers.stop(upid);
  }
}

/** The configuration file inside an archive. */
function archivedText({ type, config, disks }: BackupArchive): string {
  if (type === "lxc") {
    return containerText(config);
  }
  const maps = disks.map(({ slot, storage, format }) => {
    const device = slot === "tpmstate0" ? "drive-tpmstate0-backup" : `drive-${slot}`;
    return `#qmdump#map:${slot}:${device}:${storage}:${format}:\n`;
  });
  return `${sectionText(config)}${maps.join("")}`;
}

export const vzdumpEndpoints = [
  endpoint({
    method: "POST",
    path: "/nodes/{node}/vzdump",
    protected: true,
    proxyTo: "node",
    permissions: { user: "all" },
    parameters: {
      ...vzdumpOptions,
      "job-id": { ...backupJobId, optional: true },
      stdout: boolean({ optional: true }),
    },
    handler: (call) => startBackup(call),
  }),
  endpoint({
    method: "GET",
    path: "/nodes/{node}/vzdump/defaults",
    proxyTo: "node",
    permissions: { user: "all" },
    parameters: { node, storage: { ...storageId, optional: true } },
    handler: ({ world, caller, node: here, params: { storage: id = "local" } }) => {
      caller.checkAny(`/storage/${id}`, ["Datastore.Audit", "Datastore.AllocateSpace"]);
      const storage = backupStorage(world, id);
      const text = storage.options["prune-backups"];
      const keep = text === undefined ? undefined : printPropertyString(pruneBackupsFormat, retentionOf(text));
      const { ionice, ...shown } = defaults;
      const dumpdir = storage.type === "pbs" ? undefined : contentDirectory(storage, "backup");
      return {
        ...shown,
        storage: id,
        ...(keep !== undefined && { "prune-backups": keep }),
        ...(caller.has(`/nodes/${here}`, ["Sys.Audit"]) && { ionice, ...(dumpdir !== undefined && { dumpdir }) }),
      };
    },
  }),
  endpoint({
    method: "GET",
    path: "/nodes/{node}/vzdump/extractconfig",
    protected: true,
    proxyTo: "node",
    permissions: { user: "all" },
    parameters: { node, volume: string() },
    handler: ({ world, caller, node: here, params: { volume: volid } }) => {
      checkVolumeAccess(world, caller, volid, { content: "backup" });
      const { vmid } = describeVolume(world, volid);
      caller.check(`/vms/${vmid}`, ["VM.Backup"]);
      const volume = findVolume(world, volid, here) ?? die(`volume '${volid}' does not exist`);
      return archivedText(volume.backup ?? die("ERROR: archive contains no configuration file"));
    },
  }),
];
