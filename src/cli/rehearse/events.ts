import type { Simulator } from "#simulator";
import { eventsIn, problemsIn, type TerraformEvent } from "../terraform-events.ts";
import type { PlanJson } from "./foreign-changes.ts";
import type { ResourceResult, TaskResult } from "./report.ts";
import { spanOf } from "./times.ts";

/** What became of each resource that the plan changes. */
export function readApply(output: string, plan: PlanJson): { resources: ResourceResult[]; problems: string[] } {
  const events = eventsIn(output);
  const ends = new Map<string, TerraformEvent>();
  for (const event of events) {
    if (event.type !== "apply_complete" && event.type !== "apply_errored") continue;
    ends.set(`${event.hook?.resource?.addr} ${event.hook?.action}`, event);
  }
  const changes = (plan.resource_changes ?? []).flatMap(({ address, mode, change }) =>
    mode === "managed"
      ? change.actions
          .filter((action) => action !== "no-op" && action !== "read")
          .map((action) => ({ address, action }))
      : [],
  );
  const resources = changes.map(({ address, action }): ResourceResult => {
    const end = ends.get(`${address} ${action}`);
    const isDone = end?.type === "apply_complete";
    return {
      address,
      action,
      result: end === undefined ? "not reached" : isDone ? "done" : "failed",
      message: end === undefined || isDone ? null : (end["@message"] ?? null),
    };
  });
  return { resources, problems: problemsIn(events) };
}

/** What a plan would change. */
export function readPlan(output: string): { left: string[]; problems: string[] } {
  const events = eventsIn(output);
  const left = events.flatMap(({ type, change }) =>
    type === "planned_change" && change?.resource ? [`${change.resource.addr}: ${change.action}`] : [],
  );
  return { left, problems: problemsIn(events) };
}

/** Tasks that the copy has run, in the order of their start, as long as they would take at the speed of the cluster. */
export function tasksOf({ sim }: Simulator): { tasks: TaskResult[]; seconds: number } {
  const { speed } = sim.clock;
  const ran = sim.world.tasks.map((task) => {
    const from = task.began ?? task.starttime;
    return { ...task, from, to: task.ended ?? from };
  });
  const tasks = ran.map(({ node, type, id, from, to, exitstatus }) => ({
    node,
    type,
    id,
    estimatedSeconds: Math.round((to - from) * speed),
    status: exitstatus ?? "running",
  }));
  return { tasks, seconds: Math.round(spanOf(ran) * speed) };
}
