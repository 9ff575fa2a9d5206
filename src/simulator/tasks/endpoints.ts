import type { Caller } from "../core/access/caller.ts";
import type { Privilege } from "../core/access/privileges.ts";
import { Download } from "../core/kernel/download.ts";
import { type Call, endpoint } from "../core/kernel/endpoint.ts";
import { die, paramError } from "../core/kernel/failure.ts";
import { indexEndpoint } from "../core/kernel/index-endpoint.ts";
import { taskStatusListFormat } from "../core/schema/formats.ts";
import { boolean, integer, optional, string } from "../core/schema/schema.ts";
import { node, vmid } from "../core/schema/standard-options.ts";
import { decodeUpid, type Upid } from "../core/tasks/upid.ts";
import type { TaskRecord } from "../core/world/tasks.ts";
import { process, separateToken, type TaskEntry } from "./entries.ts";
import { clusterTasks, nodeTasks } from "./list.ts";

// pve-manager `PVE/API2/Tasks.pm` and, for the cluster's list, `PVE/API2/Cluster.pm`.

const upid = string();

/** The task of a UPID, from the text alone; it may never have existed. */
function parsed(text: string): Upid {
  return decodeUpid(text) ?? paramError({ upid: "unable to parse worker upid" });
}

/** The log is only on the node on which the task ran. */
function recordOf({ world, node: here }: Pick<Call, "world" | "node">, text: string): TaskRecord | undefined {
  // From the end: most requests are about recent tasks.
  return world.tasks.findLast((task) => task.upid === text && task.node === here);
}

function existing(call: Pick<Call, "world" | "node">, text: string): TaskRecord {
  parsed(text);
  return recordOf(call, text) ?? paramError({ upid: "no such task" });
}

/** Owners need no privilege: a user owns the tasks of its tokens, a token only its own. */
function requireOwner(caller: Caller, task: Upid, nodeName: string, otherwise: Privilege): void {
  const { user, tokenid } = separateToken({ user: task.user } as { user: string; tokenid?: string });
  const isOwner = caller.id === task.user || (tokenid !== undefined && caller.id === user);
  if (!isOwner) {
    caller.check(`/nodes/${nodeName}`, [otherwise]);
  }
}

/** The handler decides which tasks a caller sees. */
const forEverybody = { protected: true, proxyTo: "node", permissions: { user: "all" } } as const;

export const taskEndpoints = [
  endpoint({
    method: "GET",
    path: "/nodes/{node}/tasks",
    proxyTo: "node",
    permissions: { user: "all" },
    parameters: {
      node,
      start: integer({ optional: true, minimum: 0, default: 0 }),
      limit: integer({ optional: true, minimum: 0, default: 50 }),
      userfilter: string({ optional: true }),
      typefilter: string({ optional: true }),
      vmid: optional(vmid),
      errors: boolean({ optional: true, default: 0 }),
      source: string({ optional: true, enum: ["archive", "active", "all"], default: "archive" }),
      since: integer({ optional: true }),
      until: integer({ optional: true }),
      statusfilter: string({ optional: true, format: taskStatusListFormat }),
    },
    handler: (call) => {
      const { entries, total } = nodeTasks(call.sim, call.caller, call.params, call.node);
      call.envelope["total"] = total;
      return entries;
    },
  }),
  indexEndpoint("/nodes/{node}/tasks/{upid}", "name", ["log", "status"], { parameters: { node, upid } }),
  endpoint({
    method: "DELETE",
    path: "/nodes/{node}/tasks/{upid}",
    ...forEverybody,
    parameters: { node, upid },
    handler: async (call) => {
      const task = existing(call, call.params.upid);
      requireOwner(call.caller, task, call.params.node, "Sys.Modify");
      await call.sim.workers.stop(task.upid);
    },
  }),
  endpoint({
    method: "GET",
    path: "/nodes/{node}/tasks/{upid}/log",
    ...forEverybody,
    parameters: {
      node,
      upid,
      start: integer({ optional: true, minimum: 0, default: 0 }),
      limit: integer({ optional: true, minimum: 0, default: 50 }),
      download: boolean({ optional: true }),
    },
    handler: (call) => {
      const { params } = call;
      const task = parsed(params.upid);
      requireOwner(call.caller, task, params.node, "Sys.Audit");
      const log = recordOf(call, params.upid)?.log;
      if (params.download) {
        if (params.start !== undefined || params.limit !== undefined) {
          die("'download' cannot be used together with 'start' or 'limit' parameters");
        }
        return downloadOf(task, log);
      }
      const lines = log ?? ["unable to open file - No such file or directory"];
      const shown = lines.length === 0 ? ["no content"] : lines;
      const { start = 0, limit = 50 } = params;
      call.envelope["total"] = shown.length;
      const numbered = shown.map((t, index) => ({ n: index + 1, t }));
      // A missing or empty log is one line, whatever the start.
      const from = log === undefined || log.length === 0 ? 0 : start;
      return numbered.slice(from, limit === 0 ? undefined : from + limit);
    },
  }),
  endpoint({
    method: "GET",
    path: "/nodes/{node}/tasks/{upid}/status",
    ...forEverybody,
    parameters: { node, upid },
    handler: (call) => {
      const task = existing(call, call.params.upid);
      requireOwner(call.caller, task, call.params.node, "Sys.Audit");
      const entry: TaskEntry = separateToken(process(task));
      return call.sim.workers.isRunning(task.upid)
        ? { ...entry, status: "running" }
        : { ...entry, status: "stopped", exitstatus: task.exitstatus ?? "unexpected status" };
    },
  }),
  endpoint({
    method: "GET",
    path: "/cluster/tasks",
    permissions: { user: "all" },
    parameters: {},
    handler: ({ sim, caller }) => clusterTasks(sim, caller),
  }),
];

function downloadOf(task: Upid, log: readonly string[] | undefined): Download {
  if (log === undefined) {
    return die("Could not open file - No such file or directory");
  }
  const time = new Date(task.starttime * 1000).toISOString().replace(/\.\d+Z$/, "Z");
  return new Download(
    log.map((line) => `${line}\n`).join(""),
    "text/plain",
    `attachment; filename="task-${task.node}-${task.type}-${time}.log"`,
  );
}
