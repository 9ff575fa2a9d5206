import { isPveError } from "#kit";
import type { GuestAddress } from "#pve";
import type { VmSettle, VmState } from "../contexts.ts";
import type { NewVm } from "./clone.ts";
import { isIn } from "./power.ts";

/** What a run that was cut off has done already to a VM that is gone on with. */
export interface Begun {
  readonly isRunning: boolean;
  readonly ha: VmState["ha"];
}

export async function begunBefore(
  { api, signal }: VmSettle,
  vm: GuestAddress,
  { isFresh }: Pick<NewVm, "isFresh">,
): Promise<Begun> {
  if (isFresh) return { isRunning: false, ha: null };
  const ha = await api.ha.find(`vm:${vm.vmid}`, { signal }).catch((reason: unknown) => {
    // Who may not look has not put it there either.
    if (isPveError(reason, "permission")) return null;
    throw reason;
  });
  return { isRunning: await isIn({ api, signal }, vm, "running"), ha: ha as VmState["ha"] };
}
