import type { Members, Session } from "#kit";
import type { GuestPlan, GuestState } from "../context.ts";

/** Runs that have shown the warning: one is enough for a new template of many guests. */
const warned = new WeakSet<Session>();

/**
 * The source is read only when a guest is created, so another source is no change to it: the state keeps the source that
 * the guest was made from.
 */
export function keepSource(context: GuestPlan, prior: GuestState): void {
  for (const [attribute, member] of context.kind.sources) keepMembers(context, prior, attribute, member);
}

function keepMembers(context: GuestPlan, prior: GuestState, attribute: string, member: string): void {
  const { kind, api, config, report } = context;
  const [before, after] = [prior, config].map((tree) => (tree as Members)[attribute] as Members | null | undefined);
  if (!before || !after) return;
  const changed = Object.keys(after).filter((name) => isOther(before[name], after[name]));
  for (const name of changed) context.keep([attribute, name]);
  if (!changed.includes(member) || (api && warned.has(api))) return;
  if (api) warned.add(api);
  report.warning(
    [attribute, member],
    "Source is not read again",
    `${kind.title} ${prior.vmid} was made from \`${String(before[member])}\`, and the configuration now says \`${String(after[member])}\`. The source of a ${kind.noun} is read only when it is created, so this ${kind.noun} stays as it is. To make it anew, set \`replace_on_source_change = true\`, or run \`terraform apply -replace=ADDRESS\`; \`ignore_changes = [${attribute}]\` silences this warning. It is given once per run, whatever the number of ${kind.noun}s.`,
  );
}

/** A member that was added or removed is stored; Terraform accepts no other plan. */
const isOther = (before: unknown, after: unknown): boolean =>
  before !== null && before !== undefined && after !== null && after !== undefined && before !== after;
