import type { ConfigDraft } from "#kit";
import type { GuestConfig } from "#pve";
import type { GuestPlan, GuestState } from "../context.ts";
import type { RunningGuest } from "../lifecycle/pending.ts";

interface Live {
  readonly config: GuestConfig;
  readonly seen: RunningGuest;
  readonly before: ConfigDraft;
}

/**
 * Before an apply, Terraform plans again. What another user has left pending since the guest was read, or removed from it,
 * makes another plan, which Terraform would take for a bug in the provider.
 */
export function refuseChangedMeanwhile(context: GuestPlan, prior: GuestState, live: Live): void {
  const { kind, privateState, report } = context;
  const { config, seen, before } = live;
  if (privateState.digest === undefined || privateState.digest === config.digest) return;
  const known = new Set(prior.status === "running" ? prior.pending : seen.pending);
  const waiting = seen.pending.filter((option) => !known.has(option));
  const missing = (prior.inherited ?? []).filter((slot) => slot !== undefined && !before.has(slot));
  const isShown = (slot: string) => slot in (prior.mac_addresses ?? {});
  const isMapped = context.changes.has("networks");
  const added = isMapped ? before.slots(kind.families.networks).filter((slot) => !isShown(slot)) : [];
  if (waiting.length + missing.length + added.length === 0) return;
  const causes = [
    ...(waiting.length > 0 ? [`changes wait for a restart (${waiting.join(", ")})`] : []),
    ...(missing.length > 0 ? [`slots are gone (${missing.join(", ")})`] : []),
    ...(added.length > 0 ? [`cards are new (${added.join(", ")})`] : []),
  ];
  report.error(
    null,
    "Changed by others after the plan",
    `Another client has changed ${kind.noun} ${prior.vmid} since Terraform read it: ${causes.join(", and ")}. Nothing was changed by this run. Plan again, without -refresh=false, to see the difference.`,
  );
}
