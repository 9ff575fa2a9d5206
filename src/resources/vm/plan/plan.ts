import type { VmPlan } from "../contexts.ts";
import { guardStaying } from "./guards.ts";
import { planCreate } from "./plan-create.ts";
import { planUpdate } from "./plan-update.ts";

/** Looks at a change before the person does, with the cluster at hand where there is one. */
export async function planVm(context: VmPlan): Promise<void> {
  const { api, prior } = context;
  if (prior !== null) {
    if (api && prior.vmid !== undefined) guardStaying(context, api, prior.vmid);
    return planUpdate(context, prior);
  }
  if (api) await planCreate(context, api);
}
