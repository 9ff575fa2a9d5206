import type { Session } from "#kit";
import { type Claim, type Intent, runOf } from "./run.ts";

/** Records what becomes of a guest in the state. Returns the claims of other resources on what it keeps. */
export function setIntent(api: Session, vmid: number, intent: Intent): readonly Claim[] {
  const { intents, claims, activity } = runOf(api);
  intents.set(vmid, intent);
  activity.tell();
  return (claims.get(vmid) ?? []).filter((claim) => keeps(intent, claim));
}

function keeps({ isKept, name }: Intent, claim: Claim): boolean {
  return isKept && ("vmid" in claim || name === claim.name);
}

/**
 * Those of the guests that will still have the claimed name or VMID after this run. Terraform plans and applies in its own
 * order, so a guest without an intent may still be renamed or destroyed: its intent is waited for while hooks read, plan
 * or change guests.
 */
export async function keepers<T extends { readonly vmid: number }>(
  { api, signal }: { readonly api: Session; readonly signal: AbortSignal },
  guests: readonly T[],
  claim: Claim,
): Promise<T[]> {
  const { intents, activity } = runOf(api);
  const areKnown = () => guests.every(({ vmid }) => intents.has(vmid));
  await activity.until(areKnown, api.settings.tasks.pollMs, signal);
  return guests.filter(({ vmid }) => {
    const intent = intents.get(vmid);
    return intent === undefined ? !isReplaced(api, vmid, claim) : keeps(intent, claim);
  });
}

/**
 * A tainted guest in the state is replaced by the one being planned. The only sign of that is that it was read and no plan
 * keeps it. If a plan keeps it after all, that plan is refused.
 */
function isReplaced(api: Session, vmid: number, claim: Claim): boolean {
  const { inState, claims } = runOf(api);
  if (!inState.has(vmid)) return false;
  claims.set(vmid, [...(claims.get(vmid) ?? []), claim]);
  return true;
}
