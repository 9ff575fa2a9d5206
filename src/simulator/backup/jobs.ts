import type { Caller } from "../core/access/caller.ts";
import { type Call, endpoint } from "../core/kernel/endpoint.ts";
import { die, failureText, paramError } from "../core/kernel/failure.ts";
import { clusterFileLock } from "../core/kernel/locks.ts";
import type { Process } from "../core/kernel/process.ts";
import { nextEvent } from "../core/schema/calendar-event.ts";
import { splitList } from "../core/schema/format.ts";
import { configIdFormat, configIdListFormat } from "../core/schema/formats.ts";
import { type PropertyFormat, parsePropertyString } from "../core/schema/property-string.ts";
import { string } from "../core/schema/schema.ts";
import { changedOptions, refuseLineFeeds, typedOptions } from "../core/sections/section-config.ts";
import type { Guest } from "../core/world/guest.ts";
import type { ConfigSection, SectionOptions } from "../core/world/section.ts";
import type { World } from "../core/world/world.ts";
import { checkPoolExists } from "../pools/membership.ts";
import { pruneBackupsFormat } from "../storage/formats.ts";
import { allDays, backupJobId, backupOptions, fleecingFormat, performanceFormat, vzdumpOptions } from "./options.ts";
import { checkSelection, selectGuests } from "./selection.ts";
import { backupVolumes } from "./volumes.ts";
import { checkOptionPrivileges } from "./vzdump.ts";

/** Options that are property strings in requests are objects in answers; only booleans become numbers in them. */
const objectFormats = {
  "prune-backups": pruneBackupsFormat,
  fleecing: fleecingFormat,
  performance: performanceFormat,
} as const;

function asObject(format: PropertyFormat, text: string): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(parsePropertyString(format, text)).map(([key, value]) => [
      key,
      format.properties[key]?.type === "boolean" ? Number(value) : value,
    ]),
  );
}

function describe(id: string, { options, type }: ConfigSection): Record<string, unknown> {
  const objects = Object.entries(objectFormats).flatMap(([name, format]) =>
    typeof options[name] === "string" ? [[name, asObject(format, options[name])]] : [],
  );
  const { "exclude-path": paths } = options;
  return {
    ...typedOptions(options, backupOptions),
    ...Object.fromEntries(objects),
    ...(paths !== undefined && { "exclude-path": [paths].flat() }),
    id,
    type,
  };
}

/** Under the file's lock a parameter error loses its status and becomes plain text. */
async function changeJobs(call: Process, body: () => void): Promise<null> {
  await call.lock(clusterFileLock("jobs.cfg"), {}, () => {
    try {
      body();
    } catch (thrown) {
      die(failureText(thrown));
    }
  });
  return null;
}

/** Converts the older `dow` and `starttime` to a `schedule`. */
function scheduleOf(given: Record<string, string>, isRequired: boolean): Record<string, string> {
  const { starttime, dow, ...rest } = given;
  if (rest["schedule"] !== undefined) {
    return starttime === undefined ? rest : paramError({ starttime: "'starttime' and 'schedule' cannot both be set" });
  }
  if (starttime === undefined) {
    return isRequired ? paramError({ schedule: "neither 'starttime' nor 'schedule' were set" }) : rest;
  }
  const days = splitList(dow ?? "").join(",");
  return { ...rest, schedule: days === "" || days === allDays ? starttime : `${days} ${starttime}` };
}

function checkPool(world: World, caller: Caller, pool: string | undefined): void {
  if (pool) {
    checkPoolExists(world, pool);
    caller.check(`/pool/${pool}`, ["VM.Backup"]);
  }
}

/** `assert_param_permission_update`: for the changes, and for the job before the change. */
function checkUpdatePrivileges(
  caller: Caller,
  given: Record<string, string>,
  deleted: string[],
  job?: SectionOptions,
): void {
  if (caller.isRoot) {
    return;
  }
  checkOptionPrivileges(caller, given);
  checkOptionPrivileges(caller, Object.fromEntries(deleted.map((name) => [name, "1"])), true);
  if (given["storage"]) {
    caller.check(`/storage/${given["storage"]}`, ["Datastore.Allocate"]);
  } else if (deleted.includes("storage")) {
    caller.check("/storage/local", ["Datastore.Allocate"]);
  }
  if (job?.["dumpdir"] !== undefined) {
    die("only root@pam may edit jobs with a 'dumpdir' option. at /usr/share/perl5/PVE/API2/Backup.pm line 85.");
  }
  if (job !== undefined) {
    caller.check(`/storage/${job["storage"] ?? "local"}`, ["Datastore.Allocate"]);
  }
}

/** A job has only one way to select its guests; the latest one replaces the others. */
function dropOtherSelections(options: SectionOptions, given: Record<string, string>): SectionOptions {
  const without = (...names: string[]) =>
    Object.fromEntries(Object.entries(options).filter(([name]) => !names.includes(name)));
  if (given["vmid"] !== undefined) {
    return without("all", "exclude", "pool");
  }
  if (given["all"] === "1") {
    return without("vmid", "pool");
  }
  return options["pool"] === undefined ? options : without("vmid", "all", "exclude");
}

/** `all` is implied where guests are excluded. */
function withAll(options: SectionOptions): SectionOptions {
  return options["exclude"] !== undefined && !options["pool"] ? { ...options, all: "1" } : options;
}

/** The options of a request; a list of paths has one line per path. */
function optionsOf(call: Call, isNew: boolean): Record<string, string> {
  const { id: _, delete: __, ...given } = call.given;
  const paths = call.params["exclude-path"];
  const scheduled = scheduleOf(given, isNew);
  return Array.isArray(paths) ? { ...scheduled, "exclude-path": paths as unknown as string } : scheduled;
}

const mayRead = { check: ["perm", "/", ["Sys.Audit"]] } as const;
const mayWrite = { check: ["perm", "/", ["Sys.Modify"]] } as const;

function createJob(call: Call): Promise<null> {
  const { world, caller, sim, given: request } = call;
  if (!caller.isRoot) {
    checkOptionPrivileges(caller, request);
    caller.check(`/storage/${request["storage"] || "local"}`, ["Datastore.Allocate"]);
  }
  checkPool(world, caller, request["pool"]);
  const given: SectionOptions = { enabled: "1", ...optionsOf(call, true) };
  const id = request["id"] ?? sim.random.uuid();
  return changeJobs(call, () => {
    if (world.backupJobs[id] !== undefined || world.realmSyncJobs[id] !== undefined) {
      die(`Job '${id}' already exists`);
    }
    checkSelection(given, true);
    refuseLineFeeds(given);
    world.backupJobs[id] = { type: "vzdump", options: changedOptions({}, withAll(given)) };
  });
}

function updateJob(call: Call): Promise<null> {
  const { world, caller } = call;
  const deleted = splitList(call.given["delete"] ?? "");
  const id = String(call.params["id"]);
  const given = optionsOf(call, false);
  checkUpdatePrivileges(caller, given, deleted);
  checkPool(world, caller, given["pool"]);
  return changeJobs(call, () => {
    if (Object.keys(given).length === 0 && deleted.length === 0) {
      die("no options specified");
    }
    checkSelection(given, false);
    const job = world.backupJobs[id] ?? die("no such vzdump job");
    checkUpdatePrivileges(caller, given, deleted, job.options);
    const unknown = deleted.find((name) => !(name in vzdumpOptions) && name !== "comment" && name !== "repeat-missed");
    if (unknown !== undefined) {
      paramError({ delete: `unknown option '${unknown}'` });
    }
    const kept = Object.fromEntries(Object.entries(job.options).filter(([name]) => !deleted.includes(name)));
    const options = dropOtherSelections(withAll(changedOptions(kept, given)), given);
    checkSelection(options, true);
    refuseLineFeeds(given);
    job.options = options;
  });
}

/** The volumes of the guests that a job covers, as a tree. */
function includedVolumes({ world, caller }: Call, { options }: ConfigSection): object {
  const ids = [...selectGuests(world, options).values()].flat();
  const children = ids
    .filter((id) => caller.has(`/vms/${id}`, ["VM.Audit"]))
    .map((id) => {
      const guest = world.guests[id];
      if (guest === undefined) {
        return { id, type: "unknown", leaf: 1 };
      }
      const volumes = backupVolumes(guest).map(({ key, volume, isIncluded, reason }) => ({
        id: `${id}:${key}`,
        name: volume,
        included: isIncluded ? 1 : 0,
        reason,
        leaf: 1,
      }));
      return { id, type: guest.type, name: nameOf(guest), children: volumes, leaf: volumes.length === 0 ? 1 : 0 };
    });
  return { children };
}

const nameOf = ({ type, config }: Guest) => (type === "qemu" ? config["name"] : config["hostname"]);

/** Guests that no job covers, enabled or not. */
function uncoveredGuests({ world, caller }: Call): object[] {
  const covered = new Set(
    Object.values(world.backupJobs).flatMap(({ options }) => [...selectGuests(world, options).values()].flat()),
  );
  return Object.values(world.guests)
    .filter(({ vmid }) => !covered.has(vmid) && caller.has(`/vms/${vmid}`, ["VM.Audit"]))
    .map((guest) => ({ vmid: guest.vmid, type: guest.type, ...(nameOf(guest) && { name: nameOf(guest) }) }));
}

const getJob = (world: World, id: string) => world.backupJobs[id] ?? paramError({ id: `No such job '${id}'` });

/** pve-manager `PVE/API2/Backup.pm` and `PVE/API2/Cluster/BackupInfo.pm`. */
export const backupJobEndpoints = [
  endpoint({
    method: "GET",
    path: "/cluster/backup",
    permissions: mayRead,
    parameters: {},
    handler: ({ world, sim }) =>
      Object.entries(world.backupJobs).map(([id, job]) => {
        const next = nextEvent(String(job.options["schedule"]), sim.clock.now());
        return { ...describe(id, job), ...(next !== undefined && { "next-run": next }) };
      }),
  }),
  endpoint({
    method: "POST",
    path: "/cluster/backup",
    protected: true,
    permissions: mayWrite,
    parameters: { ...backupOptions, id: string({ optional: true, format: configIdFormat }) },
    handler: (call) => createJob(call),
  }),
  endpoint({
    method: "GET",
    path: "/cluster/backup/{id}",
    permissions: mayRead,
    parameters: { id: backupJobId },
    handler: ({ params, world }) => describe(params.id, getJob(world, params.id)),
  }),
  endpoint({
    method: "PUT",
    path: "/cluster/backup/{id}",
    protected: true,
    permissions: mayWrite,
    parameters: {
      ...backupOptions,
      id: backupJobId,
      delete: string({ optional: true, format: configIdListFormat }),
    },
    handler: (call) => updateJob(call),
  }),
  endpoint({
    method: "DELETE",
    path: "/cluster/backup/{id}",
    protected: true,
    permissions: mayWrite,
    parameters: { id: backupJobId },
    handler: (call) =>
      changeJobs(call, () => {
        getJob(call.world, call.params.id);
        delete call.world.backupJobs[call.params.id];
      }),
  }),
  endpoint({
    method: "GET",
    path: "/cluster/backup/{id}/included_volumes",
    protected: true,
    permissions: mayRead,
    parameters: { id: backupJobId },
    handler: (call) => includedVolumes(call, getJob(call.world, call.params.id)),
  }),
  endpoint({
    method: "GET",
    path: "/cluster/backup-info",
    parameters: {},
    handler: () => [{ subdir: "not-backed-up" }],
  }),
  endpoint({
    method: "GET",
    path: "/cluster/backup-info/not-backed-up",
    protected: true,
    permissions: mayRead,
    parameters: {},
    handler: (call) => uncoveredGuests(call),
  }),
];
