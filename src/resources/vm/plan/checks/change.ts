import type { ConfigDraft } from "#kit";
import type { Source } from "../../../guest/lifecycle/source.ts";
import type { VmPlan } from "../../contexts.ts";
import { statusUnderHa } from "../plan-ha.ts";

/** What the plan is checked against: the VM's configuration before and after the change. */
export interface Change {
  readonly node: string | undefined;
  readonly before: ConfigDraft;
  readonly after: ConfigDraft;
  /** The VM that a new one is cloned from. */
  readonly source?: Source;
}

/** A problem is reported only by the plan that causes it: a VM that was wrong before can be changed and destroyed. */
export function isTouched({ prior }: VmPlan, { after }: Change, options: RegExp): boolean {
  if (prior === null) return true;
  const { set, delete: removed } = after.patch;
  return [...Object.keys(set), ...removed].some((option) => options.test(option));
}

/** Whether what depends on the node has to be looked at again. */
export const isPlaced = ({ prior }: VmPlan, { node }: Change): boolean => prior === null || prior.node !== node;

/** Whether the VM runs when the apply is done, as far as that is certain. */
export function willRun(context: VmPlan): boolean {
  const { config, planned, prior } = context;
  if (prior !== null) return planned.status === "running";
  const isUp = config.template === null || config.template === false;
  return isUp && (config.power === null || config.power === "running") && statusUnderHa(context) !== "stopped";
}

/** Whether the plan starts the VM, and so everything that keeps it from starting matters. */
export const isStarted = (context: VmPlan): boolean => willRun(context) && context.prior?.status !== "running";

/** Whether the attribute is written in the configuration. */
export function isConfigured({ config }: VmPlan, path: readonly (string | number)[]): boolean {
  const value = at(config, path);
  return value !== null && value !== undefined;
}

/** Whether the values of these attributes are all known; the members of a map are checked one by one. */
export const isKnown = ({ config }: VmPlan, ...paths: readonly (readonly string[])[]): boolean =>
  paths.every((path) => path.every((_, index) => at(config, path.slice(0, index + 1)) !== undefined));

function at(tree: unknown, path: readonly (string | number)[]): unknown {
  let node = tree;
  for (const key of path) {
    if (node === null || node === undefined) return node;
    node = (node as Record<string | number, unknown>)[key];
  }
  return node;
}

/** Where to report a problem: at the attribute, or at the template that the whole setting or device comes from. */
export function sourceOf(context: VmPlan, path: readonly string[]): readonly string[] {
  const isOwn = isConfigured(context, path) || (path.length > 2 && isConfigured(context, path.slice(0, 2)));
  return isOwn || !isConfigured(context, ["clone"]) ? path : ["clone", "template"];
}
