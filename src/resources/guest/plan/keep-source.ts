import type { Members, Session } from "#kit";
import type { GuestPlan, GuestState } from "../context.ts";
import { isOther, type SourceChange, sourcesBetween } from "./source-changes.ts";

/** The sources of which a run has warned: one warning is enough for a new template of many guests. */
const warned = new WeakMap<Session, Set<string>>();

/**
 * The source is read only when a guest or a volume is created, so another source is no change to it: the state keeps the source
 * that it was made from. One that is not known before the apply is kept, too: the next plan compares it.
 */
export function keepSource(context: GuestPlan, prior: GuestState): void {
  const { kind, config } = context;
  for (const [attribute] of kind.sources) {
    const [before, after] = [prior, config].map((tree) => (tree as Members)[attribute] as Members | null | undefined);
    if (!before || !after) continue;
    for (const name of Object.keys(after)) if (isOther(before[name], after[name])) context.keep([attribute, name]);
  }
  for (const change of sourcesBetween(context, prior)) {
    if (isOther(change.before, change.after)) context.keep(change.path);
    if (change.after !== undefined && isFirst(context, change)) warn(context, prior, change);
  }
}

function isFirst({ api }: GuestPlan, { path: [attribute = ""] }: SourceChange): boolean {
  if (!api) return true;
  const before = warned.get(api) ?? new Set();
  const isNew = !before.has(attribute);
  warned.set(api, before.add(attribute));
  return isNew;
}

function warn({ kind, report }: GuestPlan, { vmid }: GuestState, { path, before, after, slot }: SourceChange): void {
  const guest = `${kind.title} ${vmid}`;
  const [thing, subject] = slot === null ? [kind.noun, guest] : ["disk", `\`${slot}\` of ${guest}`];
  const past = before === null ? "exists" : `was made from \`${before}\``;
  const stays =
    slot === null
      ? `The source of a ${kind.noun} is read only when it is created, so this ${kind.noun} stays as it is. To make it anew`
      : "An image is read only when the disk is created, so this disk keeps its content. To get the new image";
  const silence = before === null ? "" : `; \`ignore_changes = [${path[0]}]\` silences this warning`;
  const replace = before === null ? "run" : "set `replace_on_source_change = true`, or run";
  report.warning(
    path,
    "Source is not read again",
    `${subject} ${past}, and the configuration now says \`${after}\`. ${stays}, ${replace} \`terraform apply -replace=ADDRESS\`, which destroys the ${kind.noun} with its data and creates another${silence}. It is given once per run, whatever the number of ${thing}s.`,
  );
}
