import { type Call, endpoint } from "../core/kernel/endpoint.ts";
import { die, paramError, permissionError } from "../core/kernel/failure.ts";
import { clusterFileLock } from "../core/kernel/locks.ts";
import { calendarEventFormat } from "../core/schema/calendar-event.ts";
import { namedFormat } from "../core/schema/format.ts";
import { configIdListFormat } from "../core/schema/formats.ts";
import { boolean, integer, number, string } from "../core/schema/schema.ts";
import { digest, node, vmid } from "../core/schema/standard-options.ts";
import {
  assertDigest,
  changedOptions,
  checkDeletions,
  checkSectionUpdate,
  type OptionRules,
  sectionsDigest,
  typedOptions,
} from "../core/sections/section-config.ts";
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
  const { type, options: stored } = world.replication.jobs[id] ?? die(`no such replication job '${id}'`);
  return { id, type, guest: guestOf(id), jobnum: Number(id.split("-")[1]), ...typedOptions(stored, options) };
}

const digestOf = ({ replication }: World) => sectionsDigest(replication.jobs, () => rules);

function change(call: Call, body: () => void): Promise<null> {
  return call.lock(clusterFileLock("replication.cfg"), {}, () => {
    body();
    return null;
  });
}

function create(call: Call): Promise<null> {
  const { world } = call;
  const { id = "", type: _type, ...given } = call.given;
  const guestId = guestOf(id);
  call.caller.check(`/vms/${guestId}`, ["VM.Replicate"]);
  const guest = world.guests[guestId] ?? die(`Guest '${guestId}' does not exist.`);
  const target = given["target"] ?? "";
  // A node without a cluster has no members.
  if (world.cluster.name === undefined || world.nodes[target] === undefined) {
    die(`Target '${target}' does not exist.`);
  }
  if (given["source"] !== undefined && given["source"] !== guest.node) {
    die(`Source '${given["source"]}' does not match current node of guest '${guestId}' (${guest.node})`);
  }
  if (target === guest.node) {
    die("Source and target must not be identical");
  }
  if (replicatedVolumes(world, guest).length === 0) {
    die("No replicatable volumes found");
  }
  return change(call, () => {
    const { jobs } = world.replication;
    if (jobs[id] !== undefined) {
      die(`replication job '${id}' already exists`);
    }
    const rival = Object.entries(jobs).some(
      ([other, job]) => guestOf(other) === guestId && job.options["target"] === target,
    );
    if (rival) {
      die(`replication job for guest '${guestId}' to target 'local/${target}' already exists`);
    }
    jobs[id] = { type: "local", options: changedOptions({}, { source: guest.node, ...given }) };
  });
}

function update(call: Call): Promise<null> {
  const { id = "", delete: deletions, digest: expected, ...given } = call.given;
  call.caller.check(`/vms/${guestOf(id)}`, ["VM.Replicate"]);
  return change(call, () => {
    assertDigest(digestOf(call.world), expected);
    const job = call.world.replication.jobs[id] ?? die(`no such job '${id}'`);
    checkSectionUpdate(rules, given);
    job.options = changedOptions(job.options, given, checkDeletions(rules, deletions, {}));
  });
}

/** Removal is a mark: the scheduler cleans up and takes the job away. */
function remove(call: Call): Promise<null> {
  const { id = "" } = call.given;
  const { keep, force } = call.params;
  call.caller.check(`/vms/${guestOf(id)}`, ["VM.Replicate"]);
  return change(call, () => {
    const { jobs, states } = call.world.replication;
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
  });
}

/** `extract_job_status`: the job as its node knows it. */
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

const anybody = { user: "all" } as const;
const path = "/cluster/replication";
const nodePath = "/nodes/{node}/replication";

export const replicationEndpoints = [
  endpoint({
    method: "GET",
    path,
    permissions: anybody,
    parameters: {},
    handler: ({ world, caller }) =>
      Object.keys(world.replication.jobs)
        .sort()
        .filter((id) => caller.has(`/vms/${guestOf(id)}`, ["VM.Audit"]))
        .map((id) => describe(world, id)),
  }),
  endpoint({
    method: "POST",
    path,
    protected: true,
    permissions: anybody,
    parameters: { ...options, id: jobId, type: string({ enum: ["local"] }), target: node },
    handler: (call) => create(call),
  }),
  endpoint({
    method: "GET",
    path: `${path}/{id}`,
    permissions: anybody,
    parameters: { id: jobId },
    handler: ({ world, caller, params: { id } }) => {
      const job = describe(world, id);
      caller.check(`/vms/${guestOf(id)}`, ["VM.Audit"]);
      return { ...job, digest: digestOf(world) };
    },
  }),
  endpoint({
    method: "PUT",
    path: `${path}/{id}`,
    protected: true,
    permissions: anybody,
    parameters: {
      ...options,
      id: jobId,
      digest,
      delete: string({ optional: true, format: configIdListFormat, maxLength: 4096 }),
    },
    handler: (call) => update(call),
  }),
  endpoint({
    method: "DELETE",
    path: `${path}/{id}`,
    protected: true,
    permissions: anybody,
    parameters: {
      id: jobId,
      keep: boolean({ optional: true, default: 0 }),
      force: boolean({ optional: true, default: 0 }),
    },
    handler: (call) => remove(call),
  }),
  endpoint({
    method: "GET",
    path: nodePath,
    protected: true,
    proxyTo: "node",
    permissions: anybody,
    parameters: { node, guest: { ...vmid, optional: true } },
    handler: (call) =>
      localJobs(call)
        .filter((id) => call.params.guest === undefined || guestOf(id) === call.params.guest)
        .filter((id) => call.caller.has(`/vms/${guestOf(id)}`, ["VM.Audit"]))
        .map((id) => statusOf(call.world, id)),
  }),
  endpoint({
    method: "GET",
    path: `${nodePath}/{id}`,
    permissions: anybody,
    parameters: { node, id: jobId },
    handler: () => ["schedule_now", "log", "status"].map((name) => ({ name })),
  }),
  endpoint({
    method: "GET",
    path: `${nodePath}/{id}/status`,
    protected: true,
    proxyTo: "node",
    permissions: anybody,
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
    protected: true,
    proxyTo: "node",
    permissions: anybody,
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
    protected: true,
    proxyTo: "node",
    permissions: anybody,
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
