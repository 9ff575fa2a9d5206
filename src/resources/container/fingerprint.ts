import { isSlot, type RawConfig } from "#kit";
import type { Fingerprint } from "../guest/identity.ts";
import { families } from "./slots.ts";

/**
 * PVE generates a MAC address for every card of a new container, and keeps it. An administrator may give the only card another
 * one, so the name counts, too. Names of volumes repeat when a VMID is used again: that of the root file system shows, for a
 * container without cards that has another name, that it may have been renamed (decision 034).
 */
export function fingerprintOf(options: RawConfig): Fingerprint {
  const cards = Object.entries(options).filter(([option]) => isSlot(option, families.networks));
  const [volume] = String(options["rootfs"] ?? "").split(",");
  return {
    hostname: options["hostname"] === undefined ? null : String(options["hostname"]),
    ...(cards.length === 0 && volume ? { rootfs: volume } : {}),
    ...Object.fromEntries(
      cards.map(([slot, line]) => [slot, /(?:^|,)hwaddr=([^,]+)/i.exec(String(line))?.[1]?.toUpperCase() ?? null]),
    ),
  };
}
