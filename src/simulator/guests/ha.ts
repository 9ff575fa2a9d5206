import type { Process } from "../core/kernel/process.ts";
import type { HighAvailability } from "../core/world/ha.ts";
import type { World } from "../core/world/world.ts";

// Guests under HA's control: pve-ha-manager `src/PVE/HA/Config.pm`.

/** The word for a guest in messages. */
export type Noun = "VM" | "CT";

/** The service of a guest of that kind. */
export const serviceId = (noun: Noun, vmid: number) => `${noun.toLowerCase()}:${vmid}`;

/** The service of a guest. */
export function serviceOf(world: World, vmid: number): string {
  return serviceId(world.guests[vmid]?.type === "lxc" ? "CT" : "VM", vmid);
}

/** The requested state; `enabled` is an older word for `started`. */
export function requestedState({ options }: HighAvailability["resources"][string]): string {
  const { state = "started" } = options;
  return state === "enabled" ? "started" : String(state);
}

/** `vm_is_ha_managed`: whether power and migration calls for the guest go to the HA stack instead. */
export function isHaManaged(world: World, vmid: number): boolean {
  const resource = world.ha.resources[`vm:${vmid}`] ?? world.ha.resources[`ct:${vmid}`];
  return resource !== undefined && requestedState(resource) !== "ignored" && world.ha.disarmed !== "ignore";
}

/** Requests another state of the guest from the HA stack, as `ha-manager set` does. */
function requestState(world: World, vmid: number, state: "started" | "stopped"): void {
  const resource = world.ha.resources[serviceOf(world, vmid)];
  if (resource !== undefined) {
    resource.options["state"] = state;
  }
}

/**
 * `delete_service_from_config`: removes the resource and, with `purge`, its place in rules and rules that become empty.
 */
export function removeService(world: World, sid: string, purge: boolean): void {
  delete world.ha.resources[sid];
  delete world.ha.services[sid];
  if (!purge) {
    return;
  }
  for (const [id, rule] of Object.entries(world.ha.rules)) {
    const rest = String(rule.options["resources"])
      .split(",")
      .filter((resource) => resource !== sid);
    rule.options["resources"] = rest.join(",");
    if (rest.length === 0) {
      delete world.ha.rules[id];
    }
  }
}

/**
 * Power and migration of a guest under HA's control are only requests: the task ends at once, the HA stack acts later.
 * Undefined if the guest is not under its control.
 */
export function requestViaHa(
  process: Process,
  noun: Noun,
  vmid: number,
  state: "started" | "stopped",
): string | undefined {
  const { world } = process.sim;
  if (!isHaManaged(world, vmid)) {
    return undefined;
  }
  const word = state === "started" ? "start" : "stop";
  return process.worker(`ha${word}`, String(vmid), (task) => {
    task.print(`Requesting HA ${word} for ${noun} ${vmid}`);
    requestState(world, vmid, state);
  });
}

/** The same for a migration. */
export function migrateViaHa(process: Process, noun: Noun, vmid: number, target: string): string | undefined {
  const { world } = process.sim;
  if (!isHaManaged(world, vmid)) {
    return undefined;
  }
  return process.worker("hamigrate", String(vmid), (task) => {
    task.print(`Requesting HA migration for ${noun} ${vmid} to node ${target}`);
    const service = world.ha.services[serviceId(noun, vmid)];
    if (service !== undefined) {
      service.target = target;
    }
  });
}

/** `get_service_status`: the part of a guest's status about HA. */
export function haStatus(world: World, noun: Noun, vmid: number): Record<string, unknown> {
  return isHaManaged(world, vmid)
    ? { managed: 1, state: world.ha.services[serviceId(noun, vmid)]?.state ?? null }
    : { managed: 0 };
}
