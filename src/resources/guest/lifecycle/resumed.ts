import { isPveError } from "#kit";
import type { GuestAddress } from "#pve";
import type { GuestSettle, GuestState } from "../context.ts";
import { sidOf } from "./ha.ts";
import { isIn } from "./power.ts";

/** What an interrupted run has already done to a guest whose creation is resumed. */
export interface Resumed {
  readonly isRunning: boolean;
  readonly ha: GuestState["ha"];
}

export async function resumedState(context: GuestSettle, guest: GuestAddress): Promise<Resumed> {
  const { kind, api, signal, desired, handover } = context;
  const isLive = (desired.restore as { readonly live?: boolean | null } | null | undefined)?.live === true;
  if (handover.isFresh && !isLive) return { isRunning: false, ha: null };
  const ha = await api.ha.find(sidOf(kind, guest.vmid), { signal }).catch((reason: unknown) => {
    // A caller that may not read it has not created it either.
    if (isPveError(reason, "permission")) return null;
    throw reason;
  });
  return { isRunning: await isIn(context, guest, "running"), ha: ha as GuestState["ha"] };
}
