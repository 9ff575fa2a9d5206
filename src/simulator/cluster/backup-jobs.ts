import type { Caller } from "../access/caller.ts";
import { type Call, endpoint } from "../kernel/endpoint.ts";
import { die, paramError } from "../kernel/failure.ts";
import { clusterFileLock } from "../kernel/locks.ts";
import { checkPoolExists } from "../pools/membership.ts";
import { splitList } from "../schema/format.ts";
import { configIdFormat, configIdListFormat } from "../schema/formats.ts";
import { string } from "../schema/schema.ts";
import type { ConfigSection, SectionOptions } from "../world/section.ts";
import type { World } from "../world/world.ts";
import { allDays, backupJobId, backupOptions } from "./backup-options.ts";
import { changedOptions, typedOptions } from "./section-config.ts";

/** Takes a destroyed guest out of the jobs that name it; a job without guests goes with it (`remove_vmid_from_backup_jobs`). */
export function removeFromBackupJobs(world: World, vmid: number): void {
  for (const [id, { options }] of Object.entries(world.backupJobs)) {
    for (const list of ["vmid", "exclude"]) {
      const names = splitList(String(options[list] ?? ""));
      if (!names.includes(String(vmid))) {
        continue;
      }
      const rest = names.filter((name) => name !== String(vmid));
      options[list] = rest.join(",");
      if (rest.length === 0) {
        delete options[list];
        if (list === "vmid") {
          delete world.backupJobs[id];
        }
      }
    }
  }
}

function describe(id: string, { options, type }: ConfigSection): Record<string, unknown> {
  return { ...typedOptions(options, backupOptions), id, type };
}

/** The older `dow` and `starttime` become a `schedule`. */
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

/** `verify_vzdump_parameters`. */
function checkSelection(options: SectionOptions, isComplete: boolean): void {
  const { vmid, all, exclude, pool, stop } = options;
  for (const [name, value] of Object.entries({ all: all === "1", exclude, pool })) {
    if (value && vmid) {
      paramError({ [name]: "option conflicts with option 'vmid'" });
    }
  }
  if (isComplete && !vmid && all !== "1" && stop !== "1" && !pool && !exclude) {
    paramError({ vmid: "property is missing" });
  }
}

/** `assert_param_permission_*`: what a job may name depends on who writes it. */
function checkRights(world: World, caller: Caller, given: Record<string, string>): void {
  if (!caller.isRoot) {
    const reserved = ["tmpdir", "dumpdir", "script"].find((name) => given[name] !== undefined);
    if (reserved !== undefined) {
      paramError({ [reserved]: "Only root may set this option." });
    }
    if (given["storage"] !== undefined) {
      caller.check(`/storage/${given["storage"]}`, ["Datastore.Allocate"]);
    }
  }
  if (given["pool"]) {
    checkPoolExists(world, given["pool"]);
    caller.check(`/pool/${given["pool"]}`, ["VM.Backup"]);
  }
}

/** Which guests a job covers is said in one way only; the latest wins. */
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

function optionsOf(call: Pick<Call, "given">, isNew: boolean): Record<string, string> {
  const { id: _, delete: __, ...given } = call.given;
  return scheduleOf(given, isNew);
}

const mayRead = { check: ["perm", "/", ["Sys.Audit"]] } as const;
const mayWrite = { check: ["perm", "/", ["Sys.Modify"]] } as const;

/** pve-manager `PVE/API2/Backup.pm`. Jobs are kept; no backup is ever made. */
export const backupJobEndpoints = [
  endpoint({
    method: "GET",
    path: "/cluster/backup",
    permissions: mayRead,
    parameters: {},
    handler: ({ world }) => Object.entries(world.backupJobs).map(([id, job]) => describe(id, job)),
  }),
  endpoint({
    method: "POST",
    path: "/cluster/backup",
    protected: true,
    permissions: mayWrite,
    parameters: { ...backupOptions, id: string({ optional: true, format: configIdFormat }) },
    handler: async (call) => {
      const { world, caller, sim } = call;
      checkRights(world, caller, call.given);
      const given: Record<string, string> = { enabled: "1", ...optionsOf(call, true) };
      const id = call.params.id ?? sim.random.uuid();
      await call.lock(clusterFileLock("jobs.cfg"), {}, () => {
        if (world.backupJobs[id] !== undefined) {
          die(`Job '${id}' already exists`);
        }
        checkSelection(given, true);
        world.backupJobs[id] = { type: "vzdump", options: changedOptions({}, given) };
      });
      return null;
    },
  }),
  endpoint({
    method: "GET",
    path: "/cluster/backup/{id}",
    permissions: mayRead,
    parameters: { id: backupJobId },
    handler: ({ params, world }) => {
      const job = world.backupJobs[params.id] ?? paramError({ id: `No such job '${params.id}'` });
      return describe(params.id, job);
    },
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
    handler: async (call) => {
      const { world, caller, params } = call;
      checkRights(world, caller, call.given);
      const given = optionsOf(call, false);
      const deleted = splitList(params.delete ?? "");
      await call.lock(clusterFileLock("jobs.cfg"), {}, () => {
        if (Object.keys(given).length === 0 && deleted.length === 0) {
          die("no options specified");
        }
        checkSelection(given, false);
        const job = world.backupJobs[params.id] ?? die("no such vzdump job");
        const unknown = deleted.find((name) => !(name in backupOptions));
        if (unknown !== undefined) {
          paramError({ delete: `unknown option '${unknown}'` });
        }
        const options = dropOtherSelections(changedOptions(job.options, given, deleted), given);
        checkSelection(options, true);
        job.options = options;
      });
      return null;
    },
  }),
  endpoint({
    method: "DELETE",
    path: "/cluster/backup/{id}",
    protected: true,
    permissions: mayWrite,
    parameters: { id: backupJobId },
    handler: async (call) => {
      const { world, params } = call;
      await call.lock(clusterFileLock("jobs.cfg"), {}, () => {
        if (world.backupJobs[params.id] === undefined) {
          paramError({ id: `No such job '${params.id}'` });
        }
        delete world.backupJobs[params.id];
      });
      return null;
    },
  }),
];
