import { realmFormat } from "../core/access/formats.ts";
import { type Call, endpoint } from "../core/kernel/endpoint.ts";
import { die, Failure, paramError } from "../core/kernel/failure.ts";
import { indexEndpoint } from "../core/kernel/index-endpoint.ts";
import { clusterFileLock } from "../core/kernel/locks.ts";
import { calendarEventFormat, nextEvent } from "../core/schema/calendar-event.ts";
import { configIdFormat } from "../core/schema/formats.ts";
import { boolean, integer, string } from "../core/schema/schema.ts";
import { checkNewSection, type OptionRules } from "../core/sections/section-config.ts";
import { sectionEndpoints } from "../core/sections/section-endpoints.ts";
import { type SectionFile, typedSection } from "../core/sections/section-file.ts";
import type { World } from "../core/world/world.ts";

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

/**
 * pve-access-control `src/PVE/Jobs/RealmSync.pm`: `scope` and `realm` are required, although the API's schema has them
 * as optional.
 */
const rules: OptionRules = {
  realm: {},
  scope: {},
  schedule: {},
  comment: { optional: true },
  "enable-new": { optional: true },
  enabled: { optional: true },
  "remove-vanished": { optional: true },
};

/** These calls return a parameter error as plain text, without its status. */
function wrapped(errors: Readonly<Record<string, string>>): never {
  return die(new Failure("Parameter verification failed.", 400, errors).text);
}

function checkRealm({ access }: World, name: string): void {
  const found = access.realms[name] ?? wrapped({ realm: `No such realm '${name}'` });
  if (found.type !== "ldap" && found.type !== "ad") {
    wrapped({ realm: "Only LDAP/AD realms can be synced." });
  }
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

const anyId = { id: string({ format: configIdFormat }) };

/** pve-access-control `src/PVE/API2/Jobs/RealmSync.pm`. */
const syncFile: SectionFile = {
  path: "/cluster/jobs/realm-sync",
  key: "id",
  id: string({ format: configIdFormat, maxLength: 64 }),
  type: "realm-sync",
  options: { ...options, realm: string({ optional: true, format: realmFormat, maxLength: 32 }) },
  changes: options,
  parameters: { read: anyId, delete: anyId },
  createsByPath: true,
  withoutDigest: true,
  permissions: {
    list: mayRead,
    read: mayRead,
    create: maySync,
    update: maySync,
    delete: { check: ["perm", "/", ["Sys.Modify"]] },
  },
  texts: {
    exists: (id) => `Job '${id}' already exists`,
    missing: (id, action) => {
      if (action === "update") {
        return "no such realm-sync job";
      }
      return (action === "read" ? paramError : wrapped)({ id: `No such job '${id}'` });
    },
  },
  sections: ({ realmSyncJobs }) => realmSyncJobs,
  rulesOf: () => rules,
  view: ({ world, sim }, action) =>
    Object.fromEntries(
      Object.entries(world.realmSyncJobs).map(([id, job]) => {
        const { enabled, schedule: event } = job.options;
        const runs = {
          id,
          "last-run": null,
          ...(enabled !== "0" && { "next-run": nextEvent(String(event), sim.clock.now()) }),
        };
        return [id, { ...typedSection(syncFile, job), ...(action === "list" && runs) }];
      }),
    ),
  change: (call, _, body) => call.lock(clusterFileLock("jobs.cfg"), {}, body),
  exists: ({ realmSyncJobs, backupJobs }, id) => realmSyncJobs[id] !== undefined || backupJobs[id] !== undefined,
  checks: "when free",
  checkOptions: ({ world }, _, given, action) => {
    if (given["realm"] !== undefined) {
      checkRealm(world, String(given["realm"]));
    }
    if (action === "create") {
      checkNewSection(rules, given);
    }
  },
  verify: ({ section, before }) => {
    if (before === undefined) {
      section.options = { enabled: "1", ...section.options };
    }
  },
};

/** pve-manager `PVE/API2/Cluster/Jobs.pm`. */
export const jobEndpoints = [
  indexEndpoint("/cluster/jobs", "subdir", ["schedule-analyze", "realm-sync"]),
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
  ...sectionEndpoints(syncFile),
];
