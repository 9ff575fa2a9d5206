import { isPveError, type Observed, repeatableWrite, step } from "#kit";
import type { GuestAddress, HaResource } from "#pve";
import type { GuestAttributes } from "../attributes.ts";
import { untilManagerActs } from "../await-ha.ts";
import type { GuestChange, GuestDelete, GuestRead, GuestState } from "../context.ts";
import { haChange, haOptions, resourcesIn, statusUnderHa } from "../ha-options.ts";
import type { GuestKind } from "../kind.ts";
import { isIn } from "./power.ts";

type Ha = Observed<GuestAttributes>["ha"];

export const sidOf = (kind: GuestKind, vmid: number): string => `${kind.haType}:${vmid}`;

/** Puts the guest under HA, changes its HA options, or removes it from HA. */
export async function arrangeHa(context: GuestChange, guest: GuestAddress, prior: GuestState["ha"]): Promise<void> {
  const { kind, api, desired, log, signal } = context;
  const { ha: wanted } = desired;
  const sid = sidOf(kind, guest.vmid);
  if (wanted === undefined || (wanted === null && !prior)) return;
  await step(log, "ha", { vmid: guest.vmid, state: wanted?.state }, async () => {
    if (wanted === null) {
      await removeFromHa(context, sid, {});
      return;
    }
    const change = haChange({ ...wanted, state: wanted.state ?? "started" }, prior);
    const update = () => api.ha.update(sid, change, { signal });
    const create = () =>
      api.ha.create({ ...change, sid }, { signal }).catch(async (reason: unknown) => {
        // An interrupted run, or a call whose answer was lost, has created it, for this very guest.
        if (!isPveError(reason, "exists")) throw reason;
        await update();
      });
    await repeatableWrite(api, { write: prior ? update : create, signal });
  });
  api.inventory.forget();
}

/** Waits until the manager has started or stopped the guest; returns whether it runs then. */
export async function untilObeyed(context: GuestChange, guest: GuestAddress, isRunning: boolean): Promise<boolean> {
  const status = statusUnderHa(context.desired);
  if (status === null || (status === "running") === isRunning) return isRunning;
  await untilManagerActs(context, guest, `HA state ${context.desired.ha?.state}`, () => isIn(context, guest, status));
  return status === "running";
}

/**
 * A guest under HA can only be destroyed with `purge`, which takes it out of the HA rules, too. Without `purge`, it is removed
 * from HA alone before, and so is a guest that comes back in the same run: rules then keep it.
 */
export async function leaveHa({ kind, api, state, id, privateState, signal }: GuestDelete): Promise<void> {
  const { hasHaSuccessor = false } = privateState;
  if (!state.ha || (state.destroy?.purge !== false && !hasHaSuccessor)) return;
  const given = hasHaSuccessor ? { purge: false } : {};
  await removeFromHa({ api, signal }, sidOf(kind, id.vmid), given).catch((reason: unknown) => {
    // An attempt before this one has removed it.
    if (!isPveError(reason, "not_found")) throw reason;
  });
}

const removeFromHa = (
  { api, signal }: Pick<GuestChange, "api" | "signal">,
  sid: string,
  given: { readonly purge?: boolean },
): Promise<void> =>
  repeatableWrite(api, {
    write: () => api.ha.remove(sid, given, { signal }),
    isDone: async () => (await api.ha.find(sid, { signal })) === null,
    signal,
  });

type HaRead = Pick<GuestRead, "kind" | "api" | "id" | "state" | "purpose" | "signal">;

/** The HA options of the guest, where they may matter. Without the privilege to read them: those in the state. */
export async function readHa({ kind, api, id, state, purpose, signal }: HaRead): Promise<Ha> {
  const known = state?.ha ?? null;
  const sid = sidOf(kind, id.vmid);
  try {
    if (purpose === "create" || purpose === "update") return known && haOptions(await api.ha.find(sid, { signal }));
    const seen = await api.inventory.snapshot();
    const isManaged = known !== null || (purpose === "import" && seen.guests.get(id.vmid)?.hastate !== undefined);
    return isManaged ? haOptions((await resourcesIn(api, seen)).get(sid)) : null;
  } catch (reason) {
    if (isPveError(reason, "permission")) return haOptions(known as HaResource | null);
    throw reason;
  }
}
