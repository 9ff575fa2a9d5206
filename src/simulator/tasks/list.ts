import type { Caller } from "../core/access/caller.ts";
import type { Simulation } from "../core/kernel/simulation.ts";
import { splitList } from "../core/schema/format.ts";
import type { TaskRecord } from "../core/world/tasks.ts";
import { activeEntry, archivedEntry, process, separateToken, statusType, type TaskEntry } from "./entries.ts";

export interface TaskQuery {
  readonly node: string;
  readonly start?: number | undefined;
  readonly limit?: number | undefined;
  readonly userfilter?: string | undefined;
  readonly typefilter?: string | undefined;
  readonly vmid?: number | undefined;
  readonly errors?: 0 | 1 | undefined;
  readonly source?: "archive" | "active" | "all" | undefined;
  readonly since?: number | undefined;
  readonly until?: number | undefined;
  readonly statusfilter?: string | undefined;
}

/** The number of finished tasks in the index. */
const indexLength = 1000;
/** The number of running and latest finished tasks that a node broadcasts. */
const broadcastLength = 25;

type BroadcastEntry = Omit<TaskEntry, "pid" | "pstart"> & { readonly pid?: number };

/** `GET /nodes/{node}/tasks`: the matching tasks, their `total`, and the requested page. */
export function nodeTasks(
  sim: Simulation,
  caller: Caller,
  query: TaskQuery,
  node: string,
): { entries: TaskEntry[]; total: number } {
  const { source = "archive", start = 0, limit = 50 } = query;
  const tasks = knownTasks(sim, node);
  const active = source === "archive" ? [] : tasks.filter((task) => task.archived === undefined).map(activeEntry);
  const archive = source === "active" ? [] : newestFirst(tasks).slice(0, indexLength).map(archivedEntry);
  const matches = matcher(query, caller);
  const found = [...active, ...archive].filter(matches);
  const page = found.slice(start, start + limit);
  // Only after filtering: for the filters a running task has no status.
  const entries = page.map((entry) => (entry.status === undefined ? { ...entry, status: "RUNNING" } : entry));
  return { entries, total: found.length };
}

/** The tasks of a node as in its lists, which a fault may delay. */
function knownTasks(sim: Simulation, node: string): TaskRecord[] {
  const tasks = sim.world.tasks.filter((task) => task.node === node);
  const lag = sim.faults.taskListLag;
  if (lag === 0) {
    return tasks;
  }
  const isOld = (time: number) => sim.clock.since(time) >= lag;
  return tasks
    .filter((task) => isOld(task.starttime))
    .map(({ archived, ...task }) => (archived !== undefined && isOld(archived) ? { ...task, archived } : task));
}

function matcher(query: TaskQuery, caller: Caller): (entry: TaskEntry) => boolean {
  const { userfilter, typefilter, vmid, since, until } = query;
  const auditor = caller.has(`/nodes/${query.node}`, ["Sys.Audit"]);
  const statuses = wantedStatuses(query);
  return (entry) =>
    (!userfilter || entry.user.toLowerCase().includes(userfilter.toLowerCase())) &&
    (auditor || isOwn(entry, caller)) &&
    (!typefilter || entry.type === typefilter) &&
    (vmid === undefined || entry.id === String(vmid)) &&
    (since === undefined || entry.starttime >= since) &&
    (until === undefined || entry.starttime <= until) &&
    statuses.has(statusType(entry.status));
}

/**
 * In the archive a user also sees the tasks of its tokens; among the active tasks the token is still part of the name.
 */
function isOwn(entry: TaskEntry, caller: Caller): boolean {
  const full = entry.tokenid === undefined ? entry.user : `${entry.user}!${entry.tokenid}`;
  return caller.id === full || caller.id === entry.user;
}

function wantedStatuses({ errors, statusfilter }: TaskQuery): Set<string> {
  if (errors) {
    return new Set(["warning", "error", "unknown"]);
  }
  return new Set(
    statusfilter === undefined ? ["ok", "warning", "error", "unknown"] : splitList(statusfilter.toLowerCase()),
  );
}

function newestFirst(tasks: readonly TaskRecord[]): TaskRecord[] {
  return tasks
    .filter((task) => task.archived !== undefined)
    .sort((one, other) => (other.archived ?? 0) - (one.archived ?? 0));
}

/**
 * `GET /cluster/tasks`: the tasks that the nodes broadcast. A token without `Sys.Audit` sees none, not even its own:
 * the token is removed from the name before the comparison.
 */
export function clusterTasks(sim: Simulation, caller: Caller): object[] {
  const auditor = caller.has("/", ["Sys.Audit"]);
  const nodes = Object.keys(sim.world.nodes);
  return nodes
    .flatMap((node) => broadcast(knownTasks(sim, node)))
    .map(separateToken)
    .filter((entry) => auditor || entry.user === caller.id);
}

function broadcast(tasks: readonly TaskRecord[]): BroadcastEntry[] {
  const running = tasks.filter((task) => task.archived === undefined).map(process);
  const finished = tasks
    .filter((task) => task.archived !== undefined)
    .reverse()
    .sort((one, other) => other.starttime - one.starttime)
    .map((task) => {
      const { pid: _, ...entry } = process(task);
      return { ...entry, saved: "1", endtime: Math.floor(task.archived ?? 0), status: task.exitstatus ?? "" };
    });
  return [...running, ...finished.slice(0, Math.max(broadcastLength - running.length, 0))].map(
    ({ pstart: _, ...entry }) => entry,
  );
}
