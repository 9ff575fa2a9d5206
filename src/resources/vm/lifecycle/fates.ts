import type { Session } from "#kit";
import { type Fate, runOf, type Wanted } from "./run.ts";

/** Says what becomes of a VM in the state. Returns what others want of it that it keeps. */
export function setFate(api: Session, vmid: number, fate: Fate): readonly Wanted[] {
  const { fates, makingWay, activity } = runOf(api);
  fates.set(vmid, fate);
  activity.tell();
  return (makingWay.get(vmid) ?? []).filter((wanted) => keeps(fate, wanted));
}

function keeps({ stays, name }: Fate, wanted: Wanted): boolean {
  return stays && ("vmid" in wanted || name === wanted.name);
}

/**
 * Of VMs that have what is wanted, those that keep it after this run. Terraform plans and applies in an order of its own, so
 * a VM of which nothing is known yet may still be renamed or destroyed: that is waited for as long as VMs are read,
 * planned or changed at all.
 */
export async function keepers<T extends { readonly vmid: number }>(
  { api, signal }: { readonly api: Session; readonly signal: AbortSignal },
  vms: readonly T[],
  wanted: Wanted,
): Promise<T[]> {
  const { fates, activity } = runOf(api);
  const areKnown = () => vms.every(({ vmid }) => fates.has(vmid));
  await activity.until(areKnown, api.settings.tasks.pollMs, signal);
  return vms.filter(({ vmid }) => {
    const fate = fates.get(vmid);
    return fate === undefined ? !makesWay(api, vmid, wanted) : keeps(fate, wanted);
  });
}

/**
 * A VM in the state whose resource is tainted makes way for the one being planned, and nothing tells so but that it was
 * read and nobody plans to keep it. If somebody does after all, that plan is the one to refuse.
 */
function makesWay(api: Session, vmid: number, wanted: Wanted): boolean {
  const { inState, makingWay } = runOf(api);
  if (!inState.has(vmid)) return false;
  makingWay.set(vmid, [...(makingWay.get(vmid) ?? []), wanted]);
  return true;
}
