import type { ConfigDraft } from "#kit";
import { type Addresses, unusedVolumes } from "../guest/outputs.ts";
import { ipv4, ipv6 } from "../guest/validate/addresses.ts";
import { families } from "./slots.ts";

export function macAddresses(draft: ConfigDraft): Record<string, string> {
  const slots = draft.slots(families.networks);
  return Object.fromEntries(
    slots.flatMap((slot) => {
      const mac = draft.read({ option: slot, key: "macaddr" });
      return typeof mac === "string" ? [[slot, mac]] : [];
    }),
  );
}

/** Static addresses that cloud-init configures: known without the guest. */
export function configuredAddresses(draft: ConfigDraft): Addresses {
  const entries = draft.slots(families.networks).map((slot) => {
    const option = slot.replace("net", "ipconfig");
    const found = ["ip", "ip6"].map((key) => String(draft.read({ option, key }) ?? "").split("/")[0] ?? "");
    return [slot, found.filter((address) => ipv4.isAddress(address) || ipv6.isAddress(address))] as const;
  });
  return Object.fromEntries(entries.filter(([, addresses]) => addresses.length > 0));
}

export const unusedDisks = (draft: ConfigDraft): Record<string, string> => unusedVolumes(draft, families.unused);
