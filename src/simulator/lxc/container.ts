import { die } from "../core/kernel/failure.ts";
import { guestConfigLock } from "../core/kernel/locks.ts";
import type { Process } from "../core/kernel/process.ts";
import { assertDigest, sha1, typedOptions } from "../core/sections/section-config.ts";
import type { Guest, Section } from "../core/world/guest.ts";
import { newGuest } from "../core/world/guest.ts";
import type { World } from "../core/world/world.ts";
import { sectionText } from "../guests/config-text.ts";
import { containerOptions } from "./options.ts";

// A container's configuration file and its lock: pve-guest-common `src/PVE/AbstractConfig.pm`.

export function findContainer(world: World, vmid: number, node: string): Guest | undefined {
  const guest = world.guests[vmid];
  return guest?.type === "lxc" && guest.node === node ? guest : undefined;
}

/** `load_config`. */
export function getContainer({ sim, node }: Process, vmid: number): Guest {
  return (
    findContainer(sim.world, vmid, node) ?? die(`Configuration file 'nodes/${node}/lxc/${vmid}.conf' does not exist`)
  );
}

/** `check_running`: false for a container that does not exist. */
export function isRunning({ sim, node }: Process, vmid: number): boolean {
  return findContainer(sim.world, vmid, node)?.run !== undefined;
}

/** `lock_config`: 10 s by default. */
export function withContainerLock<T>(
  process: Process,
  vmid: number,
  body: () => T | Promise<T>,
  seconds = 10,
): Promise<T> {
  return process.lock(guestConfigLock("lxc", vmid), { seconds }, body);
}

/** `check_lock`. */
export function checkLock({ config }: Guest, allowed?: string): void {
  const { lock } = config;
  if (lock !== undefined && lock !== allowed) {
    die(`CT is locked (${lock})`);
  }
}

/** `check_protection`. */
export function checkProtection({ config }: Guest, action: string): void {
  if (config["protection"] === "1") {
    die(`${action} - protection mode enabled`);
  }
}

export const isTemplate = ({ config }: Guest) => config["template"] === "1";

/** `check_vmid_unused`. */
export function checkVmidUnused(world: World, vmid: number): void {
  const guest = world.guests[vmid];
  if (guest !== undefined) {
    die(`${guest.type === "qemu" ? "VM" : "CT"} ${vmid} already exists on node '${guest.node}'`);
  }
}

export function newContainer(world: World, vmid: number, node: string, config: Section): Guest {
  const guest = newGuest("lxc", vmid, node, config);
  world.guests[vmid] = guest;
  return guest;
}

/** `write_pct_config` of one section: the environment is stored as options of the runtime. */
export function containerText({ env, ...section }: Section): string {
  const variables = env === undefined ? [] : env.split(/\0+/).map((pair) => `lxc.environment.runtime: ${pair}\n`);
  return `${sectionText(section)}${variables.join("")}`;
}

/** The digest of the whole file, including pending changes and snapshots. */
export function containerDigest({ config, pending, snapshots }: Guest): string {
  const deleted = Object.keys(pending.delete).sort();
  const waiting = { ...pending.set, ...(deleted.length > 0 && { delete: deleted.join(",") }) };
  const sections = [
    containerText(config),
    ...(Object.keys(waiting).length > 0 ? [`\n[pve:pending]\n${containerText(waiting)}`] : []),
    ...Object.entries(snapshots).map(([name, section]) => `\n[${name}]\n${containerText(section)}`),
  ];
  return sha1(sections.join(""));
}

export function assertContainerDigest(guest: Guest, expected: string | undefined): void {
  assertDigest(containerDigest(guest), expected);
}

/** Values as the API answers them. */
export function typedConfig(section: Section): Record<string, unknown> {
  const { cpulimit, snaptime, ...options } = section;
  return {
    ...typedOptions(options, containerOptions),
    // Numbers with a fraction are answered as written, integers as numbers.
    ...(cpulimit !== undefined && { cpulimit }),
    ...(snaptime !== undefined && { snaptime: Number(snaptime) }),
  };
}
