import type { Simulator } from "#simulator";
import { eventsIn, problemsIn, type TerraformEvent } from "../terraform-events.ts";
import type { PlanJson } from "./foreign-changes.ts";
import type { ResourceResult, TaskResult } from "./report.ts";

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
      seconds: end?.hook?.elapsed_seconds ?? null,
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

/** Tasks that the copy has run, in the order of their start. */
export const tasksOf = ({ sim }: Simulator): TaskResult[] =>
  sim.world.tasks.map(({ node, type, id, starttime, ended, exitstatus }) => ({
    node,
    type,
    id,
    estimatedSeconds: Math.max(0, Math.round((ended ?? starttime) - starttime)),
    status: exitstatus ?? "running",
  }));
