import type { ConfigDraft } from "#kit";
import { ipv4, ipv6 } from "../guest/validate/addresses.ts";
import { families } from "./slots.ts";

/** By slot of the network card. */
export type Addresses = Readonly<Record<string, readonly string[]>>;

export function macAddresses(draft: ConfigDraft): Record<string, string> {
  const slots = draft.slots(families.networks);
  return Object.fromEntries(
    slots.flatMap((slot) => {
      const mac = draft.read({ option: slot, key: "macaddr" });
      return typeof mac === "string" ? [[slot, mac]] : [];
    }),
  );
}

/** Static addresses as cloud-init sets them: known without asking the guest. */
export function configuredAddresses(draft: ConfigDraft): Addresses {
  const entries = draft.slots(families.networks).map((slot) => {
    const option = slot.replace("net", "ipconfig");
    const found = ["ip", "ip6"].map((key) => String(draft.read({ option, key }) ?? "").split("/")[0] ?? "");
    return [slot, found.filter((address) => ipv4.isAddress(address) || ipv6.isAddress(address))] as const;
  });
  return Object.fromEntries(entries.filter(([, addresses]) => addresses.length > 0));
}

/** Loopback, link-local and unspecified addresses reach nobody. */
const isRoutable = (address: string) => !/^(127\.|169\.254\.|0\.|::1?$|fe80:)/i.test(address);

export function firstRoutable(addresses: Addresses, isFamily: (text: string) => boolean): string | null {
  const slots = Object.keys(addresses).sort((a, b) => Number(a.slice(3)) - Number(b.slice(3)));
  const all = slots.flatMap((slot) => addresses[slot] ?? []);
  return all.find((address) => isFamily(address) && isRoutable(address)) ?? null;
}

export const unusedDisks = (draft: ConfigDraft): Record<string, string> =>
  Object.fromEntries(draft.slots(families.unused).map((slot) => [slot, String(draft.raw(slot)).split(",")[0] ?? ""]));

/** Of each card a static address comes first: it is known before the guest says anything. */
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
