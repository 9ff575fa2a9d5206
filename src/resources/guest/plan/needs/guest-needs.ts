import type { Need } from "#kit";
import type { LeavingSlot } from "../../changes.ts";
import type { GuestPlan, GuestPlanDelete, GuestState } from "../../context.ts";
import { isStartedNew } from "../../ha-options.ts";
import { isUp } from "../../is-up.ts";
import { guestPrivileges } from "../../privileges.ts";
import { type Held, onGuest, onPath, onStorage } from "./need.ts";

/** The guest of a plan: as it is, or else as it will be created. */
export const heldBy = ({ config, prior }: Pick<GuestPlan, "config" | "prior">): Held => prior ?? config;

/** What every creation of a guest requires. */
export function createNeeds(context: GuestPlan): Need[] {
  const { config, planned } = context;
  const guest = heldBy(context);
  const isUp = config.template === null || config.template === false;
  const isStarted = isUp && isStartedNew(config.power, planned);
  return [
    onGuest(guest, guestPrivileges.see, null),
    onGuest(guest, guestPrivileges.allocate, null),
    // The mark of an unfinished guest is in its description, and is removed in the end.
    onGuest(guest, guestPrivileges.options, null),
    ...(config.pool ? [onPath(guestPrivileges.seePool, `/pool/${config.pool}`, ["pool"])] : []),
    ...(isStarted ? startNeeds(context) : []),
    ...haNeeds(context),
  ];
}

const startNeeds = (context: GuestPlan): Need[] => [
  onGuest(heldBy(context), guestPrivileges.power, ["power"]),
  ...context.kind.needsAfterStart(context),
];

/** What a change requires besides the privileges for its settings. */
export function updateNeeds(context: GuestPlan, prior: GuestState, leaving: readonly LeavingSlot[]): Need[] {
  const { kind, changes, config, planned } = context;
  const { power, migrate, allocate, allocateSpace } = guestPrivileges;
  const guest = heldBy(context);
  const isMoved = changes.has("node") && planned.node !== undefined && planned.node !== prior.node;
  const isPowered = !changes.has("ha") && planned.status !== prior.status && Boolean(config.power);
  const mayRestart = config.restart_policy === "when_needed" && isUp(prior);
  const deleted = new Set(leaving.filter(({ isDeleted }) => isDeleted).map(({ slot }) => slot));
  const storages = kind.volumesIn(prior).flatMap(({ slot, volume }) => (deleted.has(slot) && volume?.storage) || []);
  return [
    ...(isMoved ? [onGuest(guest, migrate, ["node"])] : []),
    ...(isPowered && planned.status === "running" ? startNeeds(context) : []),
    ...(isPowered ? [onGuest(guest, power, ["power"])] : []),
    ...(mayRestart ? [onGuest(guest, power, ["restart_policy"])] : []),
    ...(changes.has("template") && planned.template ? [onGuest(guest, allocate, ["template"])] : []),
    ...(changes.has("pool") ? poolNeeds(context, prior) : []),
    ...storages.map((storage) => onStorage(allocateSpace, storage, [kind.volumeMap])),
    ...haNeeds(context),
  ];
}

/** Both the pool that it leaves and the one that it enters (pve-manager: PVE/API2/Pool.pm). */
function poolNeeds(context: GuestPlan, prior: GuestState): Need[] {
  const pools = [prior.pool, context.planned.pool].flatMap((pool) => pool || []);
  return [
    onGuest(heldBy(context), guestPrivileges.allocate, ["pool"]),
    ...pools.map((pool) => onPath(guestPrivileges.changePool, `/pool/${pool}`, ["pool"])),
    ...pools.map((pool) => onPath(guestPrivileges.seePool, `/pool/${pool}`, ["pool"])),
  ];
}

/** pve-ha-manager: src/PVE/API2/HA/Resources.pm */
function haNeeds({ changes }: GuestPlan): Need[] {
  const { highAvailability, seeHighAvailability } = guestPrivileges;
  return changes.has("ha") ? [onPath(highAvailability, "/", ["ha"]), onPath(seeHighAvailability, "/", ["ha"])] : [];
}

/** The guest is stopped, leaves HA, and is destroyed. */
export function destroyNeeds({ state }: GuestPlanDelete): Need[] {
  const leavesHa = state.ha && state.destroy?.purge === false;
  return [
    onGuest(state, guestPrivileges.allocate, null),
    ...(isUp(state) ? [onGuest(state, guestPrivileges.power, null)] : []),
    ...(leavesHa ? [onPath(guestPrivileges.highAvailability, "/", ["ha"])] : []),
  ];
}
