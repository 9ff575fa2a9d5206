import { die, failureText } from "../core/kernel/failure.ts";
import type { Process } from "../core/kernel/process.ts";
import { sectionsDigest } from "../core/sections/section-config.ts";
import type { World } from "../core/world/world.ts";

// The configuration of HA: pve-ha-manager `src/PVE/HA/Config.pm`.

export const resourceRules = {
  state: { optional: true },
  group: { optional: true },
  comment: { optional: true },
  failback: { optional: true },
  "auto-rebalance": { optional: true },
  max_restart: { optional: true },
  max_relocate: { optional: true },
} as const;

/** `parse_sid`: a service id, or the VMID of an existing guest. */
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

export function resourcesDigest(world: World): string {
  // The headers in the file have the plain name: `vm: 100`.
  const sections = Object.fromEntries(
    Object.entries(world.ha.resources).map(([sid, section]) => [sid.replace(/^\w+:/, ""), section]),
  );
  return sectionsDigest(sections, () => resourceRules);
}

/** `lock_ha_domain`: changes the HA configuration under one lock; errors start with the name of the operation. */
export async function changeHa<T>(process: Process, action: string, body: () => T | Promise<T>): Promise<T> {
  try {
    return await process.lock({ kind: "cfs", id: "domain-ha" }, {}, body);
  } catch (thrown) {
    die(`${action}: ${failureText(thrown)}`);
  }
}
