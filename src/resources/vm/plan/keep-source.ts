import type { Members, Session } from "#kit";
import type { VmPlan, VmState } from "../contexts.ts";

/** Runs in which somebody was told already: a new template for many VMs is one piece of news. */
const told = new WeakSet<Session>();

/**
 * The source is read when a VM is created and never again, so another one is no change to it: the state goes on saying what
 * the VM was made from.
 */
export function keepSource(context: VmPlan, prior: VmState): void {
  const { api, config, report } = context;
  const [before, after] = [prior.clone as Members | null | undefined, config.clone as Members | null | undefined];
  if (!before || !after) return;
  const changed = Object.keys(after).filter((name) => isOther(before[name], after[name]));
  for (const name of changed) context.keep(["clone", name]);
  if (!changed.includes("template") || (api && told.has(api))) return;
  if (api) told.add(api);
  report.warning(
    "clone.template",
    "Clone source is not read again",
    `VM ${prior.vmid} was made from \`${String(before["template"])}\`, and the configuration now says \`${String(after["template"])}\`. The source of a VM is read only when it is created, so this VM stays as it is. To make it anew, set \`replace_on_source_change = true\`, or run \`terraform apply -replace=ADDRESS\`; \`ignore_changes = [clone]\` silences this warning. It is given once per run, whatever the number of VMs.`,
  );
}

/** A value that came or went is recorded; Terraform lets nothing else be planned. */
const isOther = (before: unknown, after: unknown): boolean =>
  before !== null && before !== undefined && after !== null && after !== undefined && before !== after;
