import type { VmPlan } from "../contexts.ts";

/** Where `ha` is not written any more the manager shall forget the VM; where it never was, it is none of our business. */
export function planHa(context: VmPlan): void {
  const { api, config, prior, privateState } = context;
  const vmid = config.vmid ?? prior?.vmid;
  if (config.ha && vmid) api?.planned.add("ha_resource", `vm:${vmid}`);
  if (config.ha === null && prior?.ha && privateState.isHaConfigured) context.set("ha", null);
  if (config.ha === null && prior === null) context.set("ha", null);
  planKeptHa(context);
  if (!config.ha || config.ha.state !== null || config.power === undefined) return;
  // Starting and stopping such a VM is said to the manager, who keeps it in mind.
  if (config.power === "running" || config.power === "stopped") {
    context.set("ha.state", config.power === "running" ? "started" : "stopped");
  } else if (prior?.ha === null || prior === null) {
    context.set("ha.state", "started");
  }
}

/** Who starts or stops a VM that stays under HA unasked changes what its manager shall see to. */
function planKeptHa(context: VmPlan): void {
  const { config, prior } = context;
  const kept = config.ha === null ? context.planned.ha : null;
  if (!kept || (kept.state !== "started" && kept.state !== "stopped")) return;
  const isOther = config.power === "stopped" ? prior?.status === "running" : prior?.status !== "running";
  if (!isOther || (config.power !== "running" && config.power !== "stopped")) return;
  context.set("ha.state", config.power === "running" ? "started" : "stopped");
}

/** Whether the VM will be running, as far as HA decides that; null where it does not. */
export function statusUnderHa({ planned }: VmPlan): "running" | "stopped" | null {
  const state = planned.ha?.state;
  if (state === undefined || state === "ignored") return null;
  return state === "started" ? "running" : "stopped";
}
