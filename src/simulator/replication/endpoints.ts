import { type Call, endpoint } from "../core/kernel/endpoint.ts";
import { die, paramError, permissionError } from "../core/kernel/failure.ts";
import { indexEndpoint } from "../core/kernel/index-endpoint.ts";
import { clusterFileLock } from "../core/kernel/locks.ts";
import { calendarEventFormat } from "../core/schema/calendar-event.ts";
import { namedFormat } from "../core/schema/format.ts";
import { boolean, integer, number, string } from "../core/schema/schema.ts";
import { node, vmid } from "../core/schema/standard-options.ts";
import { checkDeletions, type OptionRules } from "../core/sections/section-config.ts";
import { sectionEndpoints } from "../core/sections/section-endpoints.ts";
import { digestOf, type SectionChange, type SectionFile, typedSection } from "../core/sections/section-file.ts";
import type { World } from "../core/world/world.ts";
import { guestOf } from "../guests/replication-jobs.ts";
import { newState, nextSync } from "./runner.ts";
import { replicatedVolumes } from "./volumes.ts";

// pve-manager `PVE/API2/ReplicationConfig.pm` and `PVE/API2/Replication.pm`.

const jobIdFormat = namedFormat("pve-replication-job-id", (value) => {
  const [, guest] = /^(\d+)-(\d+)$/.exec(value) ?? die(`invalid replication job id '${value}'`);
  if (Number(guest) < 100) {
    die(`invalid replication job id '${value}' (guest IDs < 100 are reserved)`);
  }
});
const jobId = string({ format: jobIdFormat, pattern: "[1-9][0-9]{2,8}-\\d{1,9}" });

const options = {
  comment: string({ optional: true, maxLength: 4096 }),
  disable: boolean({ optional: true }),
  rate: number({ optional: true, minimum: 1 }),
  remove_job: string({ optional: true, enum: ["local", "full"] }),
  schedule: string({ optional: true, format: calendarEventFormat, maxLength: 128, default: "*/15" }),
  source: { ...node, optional: true },
} as const;

const rules: OptionRules = {
  target: { fixed: true },
  ...Object.fromEntries(Object.keys(options).map((name) => [name, { optional: true } as const])),
};

function describe(world: World, id: string): Record<string, unknown> {
  const job = world.replication.jobs[id] ?? die(`no such replication job '${id}'`);
  return { id, guest: guestOf(id), jobnum: Number(id.split("-")[1]), ...typedSection(jobFile, job) };
}

/** Checks a new job: its guest must have volumes to copy, and its target must be another node. */
function checkNewJob({ world, given }: Call): void {
  const guestId = guestOf(given["id"] ?? "");
  const guest = world.guests[guestId] ?? die(`Guest '${guestId}' does not exist.`);
  const { target = "", source = guest.node } = given;
  // A node without a cluster has no members.
  if (world.cluster.name === undefined || world.nodes[target] === undefined) {
    die(`Target '${target}' does not exist.`);
  }
  if (source !== guest.node) {
    die(`Source '${source}' does not match current node of guest '${guestId}' (${guest.node})`);
  }
  if (target === guest.node) {
    die("Source and target must not be identical");
  }
  if (replicatedVolumes(world, guest).length === 0) {
    die("No replicatable volumes found");
  }
}

/** A new job starts on the node of its guest, and is the only one to its target. */
function verifyJob({ call: { world }, id, section, before }: SectionChange): void {
  if (before !== undefined) {
    return;
  }
  const { target } = section.options;
  const rival = Object.entries(world.replication.jobs).some(
    ([other, { options: set }]) => guestOf(other) === guestOf(id) && set["target"] === target,
  );
  if (rival) {
    die(`replication job for guest '${guestOf(id)}' to target 'local/${target}' already exists`);
  }
  section.options = { source: world.guests[guestOf(id)]?.node ?? "", ...section.options };
}

/** Removal sets a mark: the scheduler cleans up and removes the job. */
function remove({ world, params: { keep, force } }: Call, id: string): void {
  const { jobs, states } = world.replication;
  if (force === 1) {
    if (keep === 1) {
      paramError({ keep: "conflicts with parameter 'force'" });
    }
    delete jobs[id];
    delete states[id];
    return;
  }
  const job = jobs[id] ?? die(`no such job '${id}'`);
  job.options["remove_job"] = keep === 1 ? "local" : "full";
}

const everyUser = { user: "all" } as const;

const jobFile: SectionFile = {
  path: "/cluster/replication",
  key: "id",
  id: jobId,
  type: string({ enum: ["local"] }),
  options: { ...options, target: node },
  changes: options,
  parameters: {
    delete: { keep: boolean({ optional: true, default: 0 }), force: boolean({ optional: true, default: 0 }) },
  },
  permissions: { list: everyUser, read: everyUser, create: everyUser, update: everyUser, delete: everyUser },
  texts: {
    exists: (id) => `replication job '${id}' already exists`,
    missing: (id, action) => `no such ${action === "read" ? "replication " : ""}job '${id}'`,
  },
  sections: ({ replication }) => replication.jobs,
  rulesOf: () => rules,
  guard: (call, action) => {
    if (action !== "list" && action !== "read") {
      call.caller.check(`/vms/${guestOf(call.given["id"] ?? "")}`, ["VM.Replicate"]);
    }
    if (action === "create") {
      checkNewJob(call);
    }
  },
  view: ({ world }, action) =>
    Object.fromEntries(
      Object.keys(world.replication.jobs)
        .sort()
        .map((id) => [id, { ...describe(world, id), ...(action === "read" && { digest: digestOf(jobFile, world) }) }]),
    ),
  isListed: ({ caller }, id) => caller.has(`/vms/${guestOf(id)}`, ["VM.Audit"]),
  checkRead: ({ caller }, { guest }) => caller.check(`/vms/${guest}`, ["VM.Audit"]),
  change: (call, _, body) => call.lock(clusterFileLock("replication.cfg"), {}, body),
  checks: "when free",
  verify: verifyJob,
  deletions: (known, list) => checkDeletions(known, list, {}),
  remove,
  deletesMissing: true,
};

/** `extract_job_status`: the job with its state on the node. */
function statusOf(world: World, id: string): Record<string, unknown> {
  const state = world.replication.states[id] ?? newState();
  const job = world.replication.jobs[id] ?? die(`no such replication job '${id}'`);
  return {
    ...describe(world, id),
    vmtype: world.guests[guestOf(id)]?.type,
    last_sync: state.lastSync,
    last_try: state.lastTry,
    next_sync: nextSync(world, job, state),
    duration: state.duration,
    fail_count: state.failures,
    ...(state.error !== undefined && { error: state.error }),
  };
}

/** Jobs of guests on this node. */
const localJobs = ({ world, node: here }: Call) =>
  Object.keys(world.replication.jobs)
    .filter((id) => world.guests[guestOf(id)]?.node === here)
    .sort();

const nodePath = "/nodes/{node}/replication";
const onItsNode = { protected: true, proxyTo: "node", permissions: everyUser } as const;

export const replicationEndpoints = [
  ...sectionEndpoints(jobFile),
  endpoint({
    method: "GET",
    path: nodePath,
    ...onItsNode,
    parameters: { node, guest: { ...vmid, optional: true } },
    handler: (call) =>
      localJobs(call)
        .filter((id) => call.params.guest === undefined || guestOf(id) === call.params.guest)
        .filter((id) => call.caller.has(`/vms/${guestOf(id)}`, ["VM.Audit"]))
        .map((id) => statusOf(call.world, id)),
  }),
  indexEndpoint(`${nodePath}/{id}`, "name", ["schedule_now", "log", "status"], {
    permissions: everyUser,
    parameters: { node, id: jobId },
  }),
  endpoint({
    method: "GET",
    path: `${nodePath}/{id}/status`,
    ...onItsNode,
    parameters: { node, id: jobId },
    handler: (call) => {
      const { id } = call.params;
      if (!localJobs(call).includes(id)) {
        die(`no such replication job '${id}'`);
      }
      call.caller.check(`/vms/${guestOf(id)}`, ["VM.Audit"]);
      return statusOf(call.world, id);
    },
  }),
  endpoint({
    method: "GET",
    path: `${nodePath}/{id}/log`,
    ...onItsNode,
    parameters: {
      node,
      id: jobId,
      start: integer({ optional: true, minimum: 0 }),
      limit: integer({ optional: true, minimum: 0 }),
    },
    handler: (call) => {
      const { id, start = 0, limit = 50 } = call.params;
      describe(call.world, id);
      const mayRead =
        call.caller.has(`/vms/${guestOf(id)}`, ["VM.Audit"]) || call.caller.has(`/nodes/${call.node}`, ["Sys.Audit"]);
      if (!mayRead) {
        permissionError();
      }
      const lines = call.world.replication.states[id]?.log ?? [];
      call.envelope["total"] = lines.length;
      return lines.slice(start, start + limit).map((t, index) => ({ n: start + index + 1, t }));
    },
  }),
  endpoint({
    method: "POST",
    path: `${nodePath}/{id}/schedule_now`,
    ...onItsNode,
    parameters: { node, id: jobId },
    handler: (call) => {
      const { id } = call.params;
      call.caller.check(`/vms/${guestOf(id)}`, ["VM.Replicate"]);
      describe(call.world, id);
      const state = call.world.replication.states[id] ?? newState();
      call.world.replication.states[id] = { ...state, lastTry: 0, failures: 0 };
      return null;
    },
  }),
];
