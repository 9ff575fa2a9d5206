import { aligned } from "../aligned.ts";
import { describeSources, type SpeedSource, shownSeconds } from "./times.ts";

/** What became of one resource. */
export interface ResourceResult {
  readonly address: string;
  readonly action: string;
  readonly result: "done" | "failed" | "not reached";
  readonly message: string | null;
}

export interface TaskResult {
  readonly node: string;
  readonly type: string;
  readonly id: string;
  /** On a cluster whose storages are as fast as `speeds` says. */
  readonly estimatedSeconds: number;
  readonly status: string;
}

export interface Rehearsal {
  readonly resources: readonly ResourceResult[];
  readonly tasks: readonly TaskResult[];
  /** In which at least one task would run. */
  readonly estimatedSeconds: number;
  readonly speeds: readonly SpeedSource[];
  readonly problems: readonly string[];
  readonly secondPlan: "empty" | "not empty" | "failed" | "not made";
  /** Changes that the second plan would make. */
  readonly left: readonly string[];
  readonly unseen: readonly { readonly path: string; readonly reason: string }[];
}

export const isClean = ({ problems, secondPlan }: Rehearsal): boolean =>
  problems.length === 0 && secondPlan === "empty";

/** An apply that fails has at least begun with a resource. */
const isPlanned = ({ problems, resources, secondPlan }: Rehearsal): boolean =>
  problems.length === 0 || resources.length > 0 || secondPlan !== "not made";

/** For a person. */
export function describe(rehearsal: Rehearsal): string {
  const { resources, tasks, problems, secondPlan, left, unseen, speeds } = rehearsal;
  const rows = resources.map(({ address, action, result }) => [address, action, result]);
  const taskRows = tasks.map(({ node, type, id, estimatedSeconds, status }) => [
    node,
    type,
    id,
    `about ${shownSeconds(estimatedSeconds)}`,
    status,
  ]);
  return [
    isPlanned(rehearsal) ? section("Resources", rows.length === 0 ? "Nothing to change." : aligned(rows)) : "",
    taskRows.length === 0 ? "" : section("Tasks of the cluster (times are estimates)", aligned(taskRows)),
    taskRows.length === 0 ? "" : `${describeSources(speeds, rehearsal.estimatedSeconds)}\n`,
    problems.length === 0 ? "" : section("Problems", problems.join("\n\n")),
    unseen.length === 0
      ? ""
      : section("Not in the copy", unseen.map(({ path, reason }) => `${path}: ${reason}`).join("\n")),
    left.length === 0 ? "" : section("The second plan would change", left.join("\n")),
    isPlanned(rehearsal)
      ? verdict(problems.length, secondPlan)
      : "The plan fails: nothing was applied, not even to the copy.\n",
  ]
    .filter(Boolean)
    .join("\n");
}

const section = (title: string, text: string): string => `${title}:\n${text.replaceAll(/^/gm, "  ")}\n`;

function verdict(problems: number, secondPlan: Rehearsal["secondPlan"]): string {
  if (problems > 0) return "The apply would fail. The real cluster is unchanged.\n";
  if (secondPlan === "empty")
    return "The apply would succeed, and a second plan is empty. The real cluster is unchanged.\n";
  return `The apply would succeed, and a second plan is ${secondPlan}. The real cluster is unchanged.\n`;
}
