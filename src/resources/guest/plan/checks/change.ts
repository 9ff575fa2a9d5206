import type { ConfigDraft } from "#kit";
import type { GuestPlan } from "../../context.ts";
import { isStartedNew } from "../../ha-options.ts";
import { isUp } from "../../is-up.ts";
import type { Source } from "../../lifecycle/source.ts";

/** What the plan is checked against: the guest's configuration before and after the change. */
export interface Change {
  readonly node: string | undefined;
  readonly before: ConfigDraft;
  readonly after: ConfigDraft;
  /** The guest that a new one is cloned from. */
  readonly source?: Source;
}

/** Only the plan that causes a problem reports it: a guest with an older problem can be changed and destroyed. */
export function isTouched({ prior }: GuestPlan, { after }: Change, options: RegExp): boolean {
  if (prior === null) return true;
  const { set, delete: removed } = after.patch;
  return [...Object.keys(set), ...removed].some((option) => options.test(option));
}

/** Whether checks that depend on the node apply. */
export const isPlaced = ({ prior }: GuestPlan, { node }: Change): boolean => prior === null || prior.node !== node;

/** Whether the guest certainly runs after the apply. */
export function willRun(context: GuestPlan): boolean {
  const { config, planned, prior } = context;
  if (prior !== null) return planned.status === "running";
  const isUp = config.template === null || config.template === false;
  return isUp && isStartedNew(config.power, planned);
}

/** Whether the plan starts the guest, so that everything that prevents its start matters. */
export const isStarted = (context: GuestPlan): boolean => willRun(context) && !isUp(context.prior);

interface Volume {
  readonly size?: string | null | undefined;
  readonly storage?: string | null | undefined;
}

/** Whether the plan moves or grows a volume that exists. */
export function isMovedOrGrown(wanted: Volume | null | undefined, present: Volume | null | undefined): boolean {
  const isOther = (name: keyof Volume) => wanted?.[name] && present?.[name] && wanted[name] !== present[name];
  return Boolean(isOther("size") || isOther("storage"));
}

/** Whether the attribute is written in the configuration. */
export function isConfigured({ config }: GuestPlan, path: readonly (string | number)[]): boolean {
  const value = at(config, path);
  return value !== null && value !== undefined;
}

/** Whether the values of these attributes are all known; the members of a map are checked one by one. */
export const isKnown = ({ config }: GuestPlan, ...paths: readonly (readonly string[])[]): boolean =>
  paths.every((path) => path.every((_, index) => at(config, path.slice(0, index + 1)) !== undefined));

function at(tree: unknown, path: readonly (string | number)[]): unknown {
  let node = tree;
  for (const key of path) {
    if (node === null || node === undefined) return node;
    node = (node as Record<string | number, unknown>)[key];
  }
  return node;
}

/** Where to report a problem: at the attribute, or at the source that the whole setting or device comes from. */
export function sourceOf(context: GuestPlan, path: readonly string[]): readonly string[] {
  const isOwn = isConfigured(context, path) || (path.length > 2 && isConfigured(context, path.slice(0, 2)));
  if (isOwn) return path;
  const source = context.kind.sources.find(([attribute]) => isConfigured(context, [attribute]));
  return source ?? path;
}
