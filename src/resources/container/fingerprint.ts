import { isSlot, type RawConfig } from "#kit";
import type { Fingerprint } from "../guest/identity.ts";
import { families } from "./slots.ts";

/**
 * PVE generates a MAC address for every card of a new container, and keeps it. Nothing else in the configuration of a
 * container is unique: names of volumes repeat when a VMID is used again.
 */
export function fingerprintOf(options: RawConfig): Fingerprint {
  const cards = Object.entries(options).filter(([option]) => isSlot(option, families.networks));
  return Object.fromEntries(
    cards.map(([slot, line]) => [slot, /(?:^|,)hwaddr=([^,]+)/i.exec(String(line))?.[1]?.toUpperCase() ?? null]),
  );
}
