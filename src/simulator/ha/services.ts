import { die, failureText } from "../core/kernel/failure.ts";
import type { Process } from "../core/kernel/process.ts";
import { sectionsDigest } from "../core/sections/section-config.ts";
import type { HighAvailability } from "../core/world/ha.ts";
import type { World } from "../core/world/world.ts";

// What is under HA's control: pve-ha-manager `src/PVE/HA/Config.pm`.

export const resourceRules = {
  state: { optional: true },
  group: { optional: true },
  comment: { optional: true },
  failback: { optional: true },
  max_restart: { optional: true },
  max_relocate: { optional: true },
} as const;

/** `parse_sid`: a service id, or the VMID of a guest that exists. */
export function parseServiceId(world: World, text: string): { sid: string; type: string; name: string } {
  if (/^\d+$/.test(text)) {
    const guest = world.guests[text] ?? die(`unable to detect SID from VMID - VM/CT ${text} does not exist`);
    const type = guest.type === "qemu" ? "vm" : "ct";
    return { sid: `${type}:${text}`, type, name: text };
  }
  const [, type, name] = /^(\S+):(\S+)$/.exec(text) ?? [];
  return type === undefined || name === undefined
    ? die(`unable to parse service id '${text}'`)
    : { sid: text, type, name };
}

/** The service of a guest. */
export function serviceOf(world: World, vmid: number): string {
  return `${world.guests[vmid]?.type === "lxc" ? "ct" : "vm"}:${vmid}`;
}

/** The state that was asked for; `enabled` is an older word for `started`. */
export function requestedState({ options }: HighAvailability["resources"][string]): string {
  const { state = "started" } = options;
  return state === "enabled" ? "started" : String(state);
}

/** `vm_is_ha_managed`: whether power and migration calls for the guest go to the HA stack instead. */
export function isHaManaged(world: World, vmid: number): boolean {
  const resource = world.ha.resources[`vm:${vmid}`] ?? world.ha.resources[`ct:${vmid}`];
  return resource !== undefined && requestedState(resource) !== "ignored" && world.ha.disarmed !== "ignore";
}

/** Whether the guest is an HA resource at all, in whatever state. */
export function isHaResource(world: World, vmid: number): boolean {
  return world.ha.resources[`vm:${vmid}`] !== undefined || world.ha.resources[`ct:${vmid}`] !== undefined;
}

/** Asks the HA stack for another state of the guest, as `ha-manager set` does. */
export function requestState(world: World, vmid: number, state: "started" | "stopped"): void {
  const resource = world.ha.resources[serviceOf(world, vmid)];
  if (resource !== undefined) {
    resource.options["state"] = state;
  }
}

export function resourcesDigest(world: World): string {
  // The file's headlines have the bare name: `vm: 100`.
  const sections = Object.fromEntries(
    Object.entries(world.ha.resources).map(([sid, section]) => [sid.replace(/^\w+:/, ""), section]),
  );
  return sectionsDigest(sections, () => resourceRules);
}

/** `lock_ha_domain`: HA configuration is changed under one lock; failures carry the operation's name. */
export async function changeHa<T>(process: Process, action: string, body: () => T): Promise<T> {
  try {
    return await process.lock({ kind: "cfs", id: "domain-ha" }, {}, body);
  } catch (thrown) {
    die(`${action}: ${failureText(thrown)}`);
  }
}

/** `delete_service_from_config`: the resource and, with `purge`, its place in rules; an emptied rule goes, too. */
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
