import type { ConfigDraft, Members } from "#kit";
import type { GuestAddress, GuestConfig } from "#pve";
import type { GuestPlan, GuestState } from "../context.ts";
import { isUp } from "../is-up.ts";
import type { GuestKind } from "../kind.ts";
import type { RunningGuest } from "../lifecycle/pending.ts";
import { slotMaps } from "../observe.ts";

interface Live {
  readonly config: GuestConfig;
  readonly seen: RunningGuest;
  readonly before: ConfigDraft;
}

/**
 * Before an apply, Terraform plans again. What another user has left pending since the guest was read, or removed from it,
 * makes another plan, which Terraform would take for a bug in the provider.
 */
export function refuseChangedMeanwhile(context: GuestPlan, prior: GuestState, live: Live): boolean {
  const { kind, privateState, report } = context;
  const { config, seen, before } = live;
  if (privateState.digest === undefined || privateState.digest === config.digest) return false;
  const known = new Set(isUp(prior) ? prior.pending : seen.pending);
  const waiting = seen.pending.filter((option) => !known.has(option));
  const slots = new Set([...(prior.inherited ?? []), ...shownSlots(kind, prior)]);
  const missing = [...slots].filter((slot) => slot !== undefined && !before.has(slot));
  const isShown = (slot: string) => slot in (prior.mac_addresses ?? {});
  const isMapped = context.changes.has("networks");
  const added = isMapped ? before.slots(kind.families.networks).filter((slot) => !isShown(slot)) : [];
  const macs = isMapped ? Object.entries(kind.macAddresses(before)) : [];
  const others = macs
    .filter(([slot, mac]) => isShown(slot) && prior.mac_addresses?.[slot] !== mac)
    .map(([slot]) => slot);
  if (waiting.length + missing.length + added.length + others.length === 0) return false;
  const causes = [
    ...(waiting.length > 0 ? [`changes wait for a restart (${waiting.join(", ")})`] : []),
    ...(missing.length > 0 ? [`slots are gone (${missing.join(", ")})`] : []),
    ...(added.length > 0 ? [`cards are new (${added.join(", ")})`] : []),
    ...(others.length > 0 ? [`cards have other MAC addresses (${others.join(", ")})`] : []),
  ];
  report.error(
    null,
    "Changed by others after the plan",
    `Another client has changed ${kind.noun} ${prior.vmid} since Terraform read it: ${causes.join(", and ")}. Nothing was changed by this run. Plan again, without -refresh=false, to see the difference.`,
  );
  return true;
}

/** Slots of devices that the state has. */
const shownSlots = ({ settings }: GuestKind, prior: GuestState): string[] =>
  slotMaps(settings).flatMap(([map]) => Object.keys((prior as Members)[map] ?? {}));

/** The same for a guest that is gone. A refresh would have noticed it. */
export function refuseGone({ kind, report }: GuestPlan, { vmid }: GuestAddress): boolean {
  report.error(
    null,
    `${kind.title} is gone`,
    `${kind.title} ${vmid} does not exist any more. Plan again, without -refresh=false: the next plan creates it again.`,
  );
  return true;
}
