import type { Session } from "#kit";
import type { GuestAddress } from "#pve";
import { readRunning } from "../running.ts";

/** Options whose change waits for the next start, and those of them that it removes. */
export interface Waiting {
  readonly pending: string[];
  readonly removed: readonly string[];
}

export async function waitingOptions(api: Session, vm: GuestAddress, signal?: AbortSignal): Promise<Waiting> {
  const { leftovers, removed } = await readRunning(api, vm, signal);
  return { pending: [...leftovers].sort(), removed };
}

/** Options whose change waits for the next start. */
export const pendingOptions = async (api: Session, vm: GuestAddress, signal?: AbortSignal): Promise<string[]> =>
  (await waitingOptions(api, vm, signal)).pending;
