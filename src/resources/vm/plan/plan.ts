import { guardKept } from "../../guest/plan/guards.ts";
import type { VmPlan } from "../contexts.ts";
import { planCreate } from "./plan-create.ts";
import { planUpdate } from "./plan-update.ts";

/** Looks at a change before the person does, with the cluster at hand where there is one. */
export async function planVm(context: VmPlan): Promise<void> {
  const { api, prior } = context;
  if (prior !== null) {
    if (api) guardKept(context, api, prior);
    return planUpdate(context, prior);
  }
  if (api) await planCreate(context, api);
}
