import type { Session } from "#kit";
import { runOf } from "../lifecycle/run.ts";

/** Sees to it that the next look at the cluster shows the VMs this run has made or changed since the last one. */
export function forgetBefore(api: Session): void {
  if (runOf(api).learnt.size > 0) api.inventory.forget();
}
