import type { Permissions } from "#pve";
import { type CapabilityName, capabilities, lifeCycle } from "../roles/capabilities.ts";
import { type Finding, failed, notice } from "./check.ts";

const privilegesOf = (...names: readonly CapabilityName[]): string[] => [
  ...new Set(names.flatMap((name) => capabilities[name].requirements.flatMap(({ privileges }) => [...privileges]))),
];

/** What a role for VMs has beyond one that only reads. */
const ofVms = privilegesOf(...lifeCycle).filter((privilege) => !privilegesOf("plan").includes(privilege));

/**
 * Whether the caller was given a role for VMs, complete or not. Roles for something else, as `doctor role --read-only` and `--for`
 * print them, have few of its privileges, and lack nothing. A caller without any privilege is asked for the usual role.
 */
export function hasVmRole(permissions: Permissions): boolean {
  const held = new Set(Object.values(permissions).flatMap((privileges) => Object.keys(privileges)));
  const found = ofVms.filter((privilege) => held.has(privilege));
  const isForContainers = found.every((privilege) => privilegesOf("containers").includes(privilege));
  return held.size === 0 || (found.length > ofVms.length / 2 && !isForContainers);
}

/** Something that VMs need is missing: a problem only for a caller with a role for VMs. */
export const lacking =
  (permissions: Permissions) =>
  (said: string, ...cure: string[]): Finding =>
    (hasVmRole(permissions) ? failed : notice)(said, ...cure);
