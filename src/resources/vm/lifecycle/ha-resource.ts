import { isPveError, type Observed, step } from "#kit";
import type { GuestAddress, HaResource } from "#pve";
import { untilManagerActs } from "../../guest/await-ha.ts";
import { haChange, haOptions, resourcesIn } from "../../guest/ha-options.ts";
import type { VmAttributes } from "../attributes.ts";
import type { VmChange, VmDelete, VmRead, VmState } from "../contexts.ts";
import { isIn } from "./power.ts";

type Ha = Observed<VmAttributes>["ha"];

const sidOf = (vmid: number): string => `vm:${vmid}`;

/** Puts the VM under HA, changes how, or takes it out of it. */
export async function arrangeHa(context: VmChange, vm: GuestAddress, prior: VmState["ha"]): Promise<void> {
  const { api, desired, log, signal } = context;
  const { ha: wanted } = desired;
  const sid = sidOf(vm.vmid);
  if (wanted === undefined || (wanted === null && !prior)) return;
  await step(log, "ha", { vmid: vm.vmid, state: wanted?.state }, async () => {
    if (wanted === null) {
      await api.ha.remove(sid, { signal });
      return;
    }
    const change = haChange({ ...wanted, state: wanted.state ?? "started" }, prior);
    if (prior) {
      await api.ha.update(sid, change, { signal });
      return;
    }
    await api.ha.create({ ...change, sid }, { signal }).catch(async (reason: unknown) => {
      // A run that was cut off has put it there; it is about this very VM.
      if (!isPveError(reason, "exists")) throw reason;
      await api.ha.update(sid, change, { signal });
    });
  });
  api.inventory.forget();
}

/** Waits until the manager has started or stopped the VM; returns whether it runs then. */
export async function untilObeyed(context: VmChange, vm: GuestAddress, isRunning: boolean): Promise<boolean> {
  const { state } = context.desired.ha ?? {};
  if (state === undefined || state === "ignored" || (state === "started") === isRunning) return isRunning;
  const status = state === "started" ? "running" : "stopped";
  await untilManagerActs(context, vm, `HA state ${state}`, () => isIn(context, vm, status));
  return status === "running";
}

/** A VM that HA knows can only be destroyed when it is purged; who does not want that has HA forget it alone. */
export async function leaveHa({ api, state, id, signal }: VmDelete): Promise<void> {
  if (state.ha && state.destroy?.purge === false) await api.ha.remove(sidOf(id.vmid), { signal });
}

type HaRead = Pick<VmRead, "api" | "id" | "state" | "purpose" | "signal">;

/** What HA says of the VM, where anybody may want to know. Who may not ask is told what was known, or is usual. */
export async function readHa({ api, id, state, purpose, signal }: HaRead): Promise<Ha> {
  const known = state?.ha ?? null;
  try {
    if (purpose === "create" || purpose === "update")
      return known && haOptions(await api.ha.find(sidOf(id.vmid), { signal }));
    const seen = await api.inventory.snapshot();
    const isManaged = known !== null || (purpose === "import" && seen.guests.get(id.vmid)?.hastate !== undefined);
    return isManaged ? haOptions((await resourcesIn(api, seen)).get(sidOf(id.vmid))) : null;
  } catch (reason) {
    if (isPveError(reason, "permission")) return haOptions(known as HaResource | null);
    throw reason;
  }
}
