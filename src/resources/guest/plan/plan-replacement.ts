import type { Session } from "#kit";
import type { GuestPlan, GuestState } from "../context.ts";
import { runOf } from "../run.ts";
import { allowsDuplicate } from "./guards.ts";
import { keepSource } from "./keep-source.ts";
import { warnOfUnused } from "./plan-destroy.ts";
import { sourcesBetween } from "./source-changes.ts";

/** Another VMID, or another source where that is asked for, means another guest. */
export function planReplacement(context: GuestPlan, prior: GuestState): void {
  const { kind, config } = context;
  const others = config.replace_on_source_change ? sourcesBetween(context, prior) : [];
  // As Terraform does for any attribute: a value that is not known yet is another one.
  const other = others.find(({ before }) => before !== null);
  if (other) {
    const { path, before, after = "a source that is known only after other resources are applied", slot } = other;
    const what = slot === null ? `The ${kind.noun}` : `\`${slot}\``;
    context.replace(path, `${what} was made from ${before}, and the configuration says ${after}.`);
  } else keepSource(context, prior);
  if (other || (config.vmid && config.vmid !== prior.vmid)) warnOfReplacement(context, prior);
}

/** What a replacement does besides what its plan shows. */
export function warnOfReplacement(context: GuestPlan, prior: GuestState): void {
  warnOfUnused(context.kind, prior, context.report);
  warnOfOrder(context, prior);
  if (context.config.vmid && context.config.vmid === prior.vmid) warnOfBelongings(context, prior.vmid);
}

/** The plan of a new guest whose VMID another one has, which is tainted, or is removed by another resource. */
export function warnOfSuccession(context: GuestPlan, api: Session): void {
  const { config, privateState } = context;
  const { inState, unfinished } = runOf(api);
  const { vmid } = config;
  if (!vmid || !inState.has(vmid) || unfinished.has(vmid) || privateState.replacing !== null) return;
  warnOfBelongings(context, vmid);
}

/** Terraform sees no change in resources that refer to a VMID that stays the same. */
function warnOfBelongings({ kind, report }: GuestPlan, vmid: number): void {
  report.warning(
    "vmid",
    `What refers to VMID ${vmid} is removed with the ${kind.noun}`,
    `Proxmox VE removes ${kind.noun} ${vmid} with its snapshots, its firewall, its replication, the grants on \`/vms/${vmid}\`, and its places in pools, backup jobs and HA rules. The new ${kind.noun} has the same VMID, so Terraform changes nothing in the resources that manage those, and only the next plan creates them again. Add \`lifecycle { replace_triggered_by = [${kind.resource}.NAME.id] }\` to them, or apply a second time.`,
  );
}

/**
 * The protocol does not say which of the two comes first. Terraform plans the new guest after this one and shows no warning
 * of that plan, so it is given here.
 */
function warnOfOrder(context: GuestPlan, { vmid, name }: GuestState): void {
  const { kind, config, report } = context;
  if (config.name !== name || allowsDuplicate(context)) return;
  report.warning(
    "name",
    "The replacement has the name of its predecessor",
    `${kind.title} ${vmid} is destroyed, then another ${kind.noun} named "${name}" is created. With \`create_before_destroy\` it is the other way round: two ${kind.noun}s of that name exist for a moment, and the apply refuses to create the second one. Set \`allow_duplicate_name = true\` for that, or let the name change with what causes the replacement.`,
  );
}
