import type { ConfigDraft, Session } from "#kit";
import type { ContainerInterface, GuestAddress } from "#pve";
import type { Addresses } from "../guest/outputs.ts";
import { ipv4, ipv6 } from "../guest/validate/addresses.ts";
import { families } from "./slots.ts";

export function macAddresses(draft: ConfigDraft): Record<string, string> {
  const slots = draft.slots(families.networks);
  return Object.fromEntries(
    slots.flatMap((slot) => {
      const mac = draft.read({ option: slot, key: "hwaddr" });
      return typeof mac === "string" ? [[slot, mac]] : [];
    }),
  );
}

const isAddress = (text: string): boolean => ipv4.isAddress(text) || ipv6.isAddress(text);
const withoutPrefix = (cidr: unknown): string => String(cidr ?? "").split("/")[0] ?? "";

/** Static addresses: known without the container. */
export function configuredAddresses(draft: ConfigDraft): Addresses {
  const entries = draft.slots(families.networks).map((slot) => {
    const found = ["ip", "ip6"].map((key) => withoutPrefix(draft.read({ option: slot, key })));
    return [slot, found.filter(isAddress)] as const;
  });
  return Object.fromEntries(entries.filter(([, addresses]) => addresses.length > 0));
}

/** Addresses that the container has, by the slot of the card with that MAC address. */
export async function askContainer(
  api: Session,
  container: GuestAddress,
  macs: Readonly<Record<string, string>>,
  signal?: AbortSignal,
): Promise<Addresses> {
  const interfaces = (await api.lxc.listInterfaces(container, { signal })) ?? [];
  const entries = Object.entries(macs).map(([slot, mac]) => {
    const own = interfaces.filter((one) => macOf(one)?.toUpperCase() === mac.toUpperCase());
    return [slot, own.flatMap(addressesOf)] as const;
  });
  return Object.fromEntries(entries.filter(([, addresses]) => addresses.length > 0));
}

const macOf = (one: ContainerInterface): string | undefined => one["hardware-address"] ?? one.hwaddr;

/** A host before PVE 9 shows the first address of each family only. */
function addressesOf(one: ContainerInterface): string[] {
  const all = one["ip-addresses"]?.map((address) => address["ip-address"]) ?? [one.inet, one.inet6].map(withoutPrefix);
  return all.filter(isAddress);
}
