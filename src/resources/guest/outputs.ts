import type { ConfigDraft, Families } from "#kit";
import { ipv4, ipv6 } from "./validate/addresses.ts";

/** By slot of the network card. */
export type Addresses = Readonly<Record<string, readonly string[]>>;

/** Addresses that cannot be reached from elsewhere: loopback, link-local, unspecified. */
const isRoutable = (address: string) => !/^(127\.|169\.254\.|0\.|::1?$|fe80:)/i.test(address);

export function firstRoutable(addresses: Addresses, isFamily: (text: string) => boolean): string | null {
  const slots = Object.keys(addresses).sort((a, b) => Number(a.slice(3)) - Number(b.slice(3)));
  const all = slots.flatMap((slot) => addresses[slot] ?? []);
  return all.find((address) => isFamily(address) && isRoutable(address)) ?? null;
}

/** Volumes that are kept but not attached, by slot. */
export const unusedVolumes = (draft: ConfigDraft, families: Families): Record<string, string> =>
  Object.fromEntries(draft.slots(families).map((slot) => [slot, String(draft.raw(slot)).split(",")[0] ?? ""]));

/** The static addresses of each card come first: they are known before the guest reports any. */
export function addressOutputs(addresses: Addresses, configured: Addresses) {
  const slots = [...new Set([...Object.keys(addresses), ...Object.keys(configured)])];
  const all = Object.fromEntries(
    slots.map((slot) => [slot, [...(configured[slot] ?? []), ...(addresses[slot] ?? [])]]),
  );
  return {
    ip_addresses: Object.fromEntries(Object.entries(addresses).map(([slot, list]) => [slot, [...list]])),
    ipv4_address: firstRoutable(all, ipv4.isAddress),
    ipv6_address: firstRoutable(all, ipv6.isAddress),
  };
}
