import type { GuestPlan } from "../context.ts";
import { claimHa } from "../ha-owners.ts";
import { sidOf } from "../lifecycle/ha.ts";

/** If `ha` was removed from the configuration, the guest leaves HA. If it was never configured, HA is left alone. */
export function planHa(context: GuestPlan): void {
  const { config, prior, privateState } = context;
  refuseSecondOwner(context);
  if (config.ha === null && prior?.ha && privateState.isHaConfigured) context.set("ha", null);
  if (config.ha === null && prior === null) context.set("ha", null);
  planKeptHa(context);
  if (!config.ha || config.ha.state !== null || config.power === undefined) return;
  // A guest under HA is started and stopped by its HA state, which the manager keeps.
  if (config.power === "running" || config.power === "stopped") {
    context.set("ha.state", config.power === "running" ? "started" : "stopped");
  } else if (prior?.ha === null || prior === null) {
    context.set("ha.state", "started");
  }
}

function refuseSecondOwner({ kind, api, config, prior, report }: GuestPlan): void {
  const vmid = config.vmid ?? prior?.vmid;
  const refusal = api && config.ha && vmid ? claimHa(api, sidOf(kind, vmid), "guest") : null;
  if (refusal !== null) report.error("ha", "Two owners", refusal);
}

/** Starting or stopping a guest under HA that is not configured here changes its HA state. */
function planKeptHa(context: GuestPlan): void {
  const { config, prior } = context;
  const kept = config.ha === null ? context.planned.ha : null;
  if (!kept || (kept.state !== "started" && kept.state !== "stopped")) return;
  const isOther = config.power === "stopped" ? prior?.status === "running" : prior?.status !== "running";
  if (!isOther || (config.power !== "running" && config.power !== "stopped")) return;
  context.set("ha.state", config.power === "running" ? "started" : "stopped");
}
