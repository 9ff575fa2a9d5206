import { realmFormat } from "../core/access/formats.ts";
import { type Call, endpoint } from "../core/kernel/endpoint.ts";
import { die, Failure, paramError } from "../core/kernel/failure.ts";
import { clusterFileLock } from "../core/kernel/locks.ts";
import { calendarEventFormat, nextEvent } from "../core/schema/calendar-event.ts";
import { configIdFormat, configIdListFormat } from "../core/schema/formats.ts";
import { boolean, integer, string } from "../core/schema/schema.ts";
import {
  changedOptions,
  checkDeletions,
  checkNewSection,
  type OptionRules,
  typedOptions,
} from "../core/sections/section-config.ts";
import type { World } from "../core/world/world.ts";

const id = string({ format: configIdFormat, maxLength: 64 });
const schedule = string({ format: calendarEventFormat, maxLength: 128 });

const options = {
  comment: string({ optional: true, maxLength: 512 }),
  "enable-new": boolean({ optional: true }),
  enabled: boolean({ optional: true }),
  "remove-vanished": string({
    optional: true,
    pattern: "(?:(?:(?:acl|properties|entry);)*(?:acl|properties|entry))|none",
  }),
  schedule,
  scope: string({ optional: true, enum: ["users", "groups", "both"] }),
};

/** pve-access-control `src/PVE/Jobs/RealmSync.pm`: `scope` and `realm` are required, whatever the API's schema says. */
const rules: OptionRules = {
  realm: {},
  scope: {},
  schedule: {},
  comment: { optional: true },
  "enable-new": { optional: true },
  enabled: { optional: true },
  "remove-vanished": { optional: true },
};

/** These calls pass a parameter error on as text, without its status. */
function wrapped(errors: Readonly<Record<string, string>>): never {
  return die(new Failure("Parameter verification failed.", 400, errors).text);
}

function checkRealm({ access }: World, name: string): void {
  const found = access.realms[name] ?? wrapped({ realm: `No such realm '${name}'` });
  if (found.type !== "ldap" && found.type !== "ad") {
    wrapped({ realm: "Only LDAP/AD realms can be synced." });
  }
}

async function create(call: Call<{ id: string }>): Promise<null> {
  const { world, params } = call;
  await call.lock(clusterFileLock("jobs.cfg"), {}, () => {
    if (world.realmSyncJobs[params.id] !== undefined || world.backupJobs[params.id] !== undefined) {
      die(`Job '${params.id}' already exists`);
    }
    const { id: _, ...given } = call.given;
    if (given["realm"] !== undefined) {
      checkRealm(world, given["realm"]);
    }
    checkNewSection(rules, given);
    world.realmSyncJobs[params.id] = { type: "realm-sync", options: { enabled: "1", ...changedOptions({}, given) } };
  });
  return null;
}

async function update(call: Call<{ id: string; delete?: string | undefined }>): Promise<null> {
  const { world, params } = call;
  await call.lock(clusterFileLock("jobs.cfg"), {}, () => {
    const job = world.realmSyncJobs[params.id] ?? die("no such realm-sync job");
    const { id: _, delete: __, ...given } = call.given;
    const deleted = checkDeletions(rules, params.delete, given);
    job.options = changedOptions(job.options, given, deleted);
  });
  return null;
}

/** `GET /cluster/jobs/schedule-analyze`. */
function analyze({
  params,
  sim,
}: Call<{ schedule: string; starttime?: number | undefined; iterations?: number | undefined }>) {
  const found: { timestamp: number; utc: string }[] = [];
  let at: number | undefined = params.starttime ?? Math.floor(sim.clock.now());
  for (let count = params.iterations ?? 10; count > 0; count -= 1) {
    at = nextEvent(params.schedule, at);
    if (at === undefined) {
      break;
    }
    found.push({ timestamp: at, utc: perlTime(at) });
  }
  return found;
}

/** Perl's `scalar(gmtime)`: `Sat Dec  2 02:30:00 2023`. */
function perlTime(seconds: number): string {
  const [weekday = "", day, month, year, clock] = new Date(seconds * 1000).toUTCString().split(" ");
  return `${weekday.slice(0, 3)} ${month} ${String(Number(day)).padStart(2)} ${clock} ${year}`;
}

const mayRead = { check: ["perm", "/", ["Sys.Audit"]] } as const;
const maySync = {
  check: [
    "and",
    ["perm", "/access/realm/{realm}", ["Realm.AllocateUser"]],
    ["perm", "/access/groups", ["User.Modify"]],
  ],
} as const;

/** pve-manager `PVE/API2/Cluster/Jobs.pm`, pve-access-control `src/PVE/API2/Jobs/RealmSync.pm`. */
export const jobEndpoints = [
  endpoint({
    method: "GET",
    path: "/cluster/jobs",
    permissions: { user: "all" },
    parameters: {},
    handler: () => [{ subdir: "schedule-analyze" }, { subdir: "realm-sync" }],
  }),
  endpoint({
    method: "GET",
    path: "/cluster/jobs/schedule-analyze",
    permissions: { user: "all" },
    parameters: {
      schedule,
      starttime: integer({ optional: true }),
      iterations: integer({ optional: true, minimum: 1, maximum: 100 }),
    },
    handler: analyze,
  }),
  endpoint({
    method: "GET",
    path: "/cluster/jobs/realm-sync",
    permissions: mayRead,
    parameters: {},
    handler: ({ world, sim }) =>
      Object.entries(world.realmSyncJobs).map(([job, { type, options: set }]) => ({
        ...typedOptions(set, options),
        id: job,
        type,
        "last-run": null,
        ...(set["enabled"] === "0" ? {} : { "next-run": nextEvent(String(set["schedule"]), sim.clock.now()) }),
      })),
  }),
  endpoint({
    method: "GET",
    path: "/cluster/jobs/realm-sync/{id}",
    permissions: mayRead,
    parameters: { id: string({ format: configIdFormat }) },
    handler: ({ world, params }) => {
      const { type, options: set } = world.realmSyncJobs[params.id] ?? paramError({ id: `No such job '${params.id}'` });
      return { ...typedOptions(set, options), type };
    },
  }),
  endpoint({
    method: "POST",
    path: "/cluster/jobs/realm-sync/{id}",
    protected: true,
    permissions: maySync,
    parameters: { ...options, id, realm: string({ optional: true, format: realmFormat, maxLength: 32 }) },
    handler: create,
  }),
  endpoint({
    method: "PUT",
    path: "/cluster/jobs/realm-sync/{id}",
    protected: true,
    permissions: maySync,
    parameters: { ...options, id, delete: string({ optional: true, maxLength: 4096, format: configIdListFormat }) },
    handler: update,
  }),
  endpoint({
    method: "DELETE",
    path: "/cluster/jobs/realm-sync/{id}",
    protected: true,
    permissions: { check: ["perm", "/", ["Sys.Modify"]] },
    parameters: { id: string({ format: configIdFormat }) },
    handler: async (call) => {
      const { world, params } = call;
      await call.lock(clusterFileLock("jobs.cfg"), {}, () => {
        if (world.realmSyncJobs[params.id] === undefined) {
          wrapped({ id: `No such job '${params.id}'` });
        }
        delete world.realmSyncJobs[params.id];
      });
      return null;
    },
  }),
];
