import type { Need } from "#kit";
import type { LeavingSlot } from "../../changes.ts";
import type { VmPlan, VmPlanDelete, VmState } from "../../contexts.ts";
import { statusUnderHa } from "../plan-ha.ts";
import { type Held, onPath, onStorage, onVm } from "./need.ts";

/** The VM of a plan: as it is, or else as it will be made. */
export const heldBy = ({ config, prior }: VmPlan): Held => prior ?? config;

/** What it takes to make a VM, whatever it is made from and whatever it shall be. */
export function createNeeds(context: VmPlan): Need[] {
  const { config } = context;
  const vm = heldBy(context);
  const isUp = config.template === null || config.template === false;
  const isStarted =
    isUp && (config.power === null || config.power === "running") && statusUnderHa(context) !== "stopped";
  return [
    onVm(vm, "see", null),
    onVm(vm, "allocate", null),
    // The mark of an unfinished VM is in its description, and is taken off in the end.
    onVm(vm, "options", null),
    ...(config.pool ? [onPath("seePool", `/pool/${config.pool}`, ["pool"])] : []),
    ...(isStarted ? startNeeds(context) : []),
    ...haNeeds(context),
  ];
}

function startNeeds(context: VmPlan): Need[] {
  const vm = heldBy(context);
  const waits = Boolean(context.config.agent?.wait);
  return [onVm(vm, "power", ["power"]), ...(waits ? [onVm(vm, "askAgent", ["agent", "wait"])] : [])];
}

/** What a change takes besides what its settings do. */
export function updateNeeds(context: VmPlan, prior: VmState, leaving: readonly LeavingSlot[]): Need[] {
  const { changes, config, planned } = context;
  const vm = heldBy(context);
  const isMoved = changes.has("node") && planned.node !== undefined && planned.node !== prior.node;
  const isPowered = !changes.has("ha") && planned.status !== prior.status && Boolean(config.power);
  const mayRestart = config.restart_policy === "when_needed" && prior.status === "running";
  const deleted = leaving.flatMap(({ slot, isDeleted }) => (isDeleted ? (prior.disks?.[slot]?.storage ?? []) : []));
  return [
    ...(isMoved ? [onVm(vm, "migrate", ["node"])] : []),
    ...(isPowered && planned.status === "running" ? startNeeds(context) : []),
    ...(isPowered ? [onVm(vm, "power", ["power"])] : []),
    ...(mayRestart ? [onVm(vm, "power", ["restart_policy"])] : []),
    ...(changes.has("template") && planned.template ? [onVm(vm, "allocate", ["template"])] : []),
    ...(changes.has("pool") ? poolNeeds(context, prior) : []),
    ...deleted.map((storage) => onStorage("allocateSpace", storage, ["disks"])),
    ...haNeeds(context),
  ];
}

/** Both the pool it leaves and the one it enters (pve-manager: PVE/API2/Pool.pm). */
function poolNeeds(context: VmPlan, prior: VmState): Need[] {
  const pools = [prior.pool, context.planned.pool].flatMap((pool) => pool || []);
  return [
    onVm(heldBy(context), "allocate", ["pool"]),
    ...pools.map((pool) => onPath("changePool", `/pool/${pool}`, ["pool"])),
    ...pools.map((pool) => onPath("seePool", `/pool/${pool}`, ["pool"])),
  ];
}

/** pve-ha-manager: src/PVE/API2/HA/Resources.pm */
const haNeeds = ({ changes }: VmPlan): Need[] =>
  changes.has("ha") ? [onPath("highAvailability", "/", ["ha"]), onPath("seeHighAvailability", "/", ["ha"])] : [];

/** The guest is stopped, HA forgets it, and it is gone. */
export function destroyNeeds({ state }: VmPlanDelete): Need[] {
  const leavesHa = state.ha && state.destroy?.purge === false;
  return [
    onVm(state, "allocate", null),
    ...(state.status === "running" ? [onVm(state, "power", null)] : []),
    ...(leavesHa ? [onPath("highAvailability", "/", ["ha"])] : []),
  ];
}
