import type { GuestPlan } from "../context.ts";
import { planKeptVolumes } from "./foreign-volumes.ts";
import { guardKept } from "./guards.ts";
import { planCreate } from "./plan-create.ts";
import { planUpdate } from "./plan-update.ts";

/** Checks and completes the plan of a guest, with the cluster's data where they are available. */
export async function planGuest(context: GuestPlan): Promise<void> {
  const { api, prior } = context;
  if (prior !== null) {
    if (api) {
      guardKept(context, api, prior);
      await planKeptVolumes(context, api, prior);
    }
    return planUpdate(context, prior);
  }
  if (api) await planCreate(context, api);
}
