import type { ConfigDraft, Members } from "#kit";
import type { GuestPlan } from "../context.ts";
import type { PlannedPower } from "../kind.ts";
import { type Addresses, addressOutputs, firstRoutable } from "../outputs.ts";
import { ipv4, ipv6 } from "../validate/addresses.ts";

const names = ["ip_addresses", "ipv4_address", "ipv6_address"] as const;

type Family = { readonly address?: string | null | undefined; readonly gateway?: string | null | undefined };
type Card = { readonly ipv4?: Family | null | undefined; readonly ipv6?: Family | null | undefined };
type Networks = Readonly<Record<string, Card | undefined>> | null | undefined;

const networksIn = (tree: object): Networks => (tree as Members)["networks"] as Networks;

interface AddressSource {
  /** Whether the guest is asked for its addresses; undefined: not known yet. */
  isAsked(tree: object): boolean | undefined;
  /** Static addresses, by slot. */
  configured(draft: ConfigDraft): Addresses;
}

/** Static addresses are known in the plan. Those that the guest reports are known after the apply. */
export function planAddresses(
  context: GuestPlan,
  after: ConfigDraft,
  { isUp, isStarted }: PlannedPower,
  { isAsked, configured }: AddressSource,
): void {
  const { config, planned, prior } = context;
  const isAskedNow = isAsked(prior === null ? config : planned);
  const isKnown = areKnown(networksIn(config));
  const addresses = configured(after);
  if (isKnown && (isUp === false || isAskedNow === false)) {
    const outputs = addressOutputs(addresses, addresses);
    for (const name of names) context.set([name], outputs[name]);
    return;
  }
  const wasAsked = prior?.status === "running" && isAsked(prior);
  const isSame = prior !== null && wasAsked && !isStarted && isKnown && !context.changes.has("networks");
  if (isSame && isAskedNow) return;
  for (const name of names) context.setUnknown(name);
  if (isKnown) planStatic(context, after, addresses);
}

/** Without a static address there is no gateway, whatever there was before its line. */
export function planGateways(context: GuestPlan): void {
  const { config, planned } = context;
  for (const [slot, card] of Object.entries(networksIn(planned) ?? {})) {
    for (const family of ["ipv4", "ipv6"] as const) {
      const { address, gateway } = card?.[family] ?? {};
      if (!gateway || address === undefined || address?.includes("/")) continue;
      if (networksIn(config)?.[slot]?.[family]?.gateway) continue;
      context.set(["networks", slot, family, "gateway"], null);
    }
  }
}

/** The address of the first card comes first, whatever the guest reports for it. */
function planStatic(context: GuestPlan, after: ConfigDraft, addresses: Addresses): void {
  const [first] = after.slots(context.kind.families.networks);
  if (first === undefined) return;
  const own = { [first]: addresses[first] ?? [] };
  for (const [name, family] of [
    ["ipv4_address", ipv4],
    ["ipv6_address", ipv6],
  ] as const) {
    const address = firstRoutable(own, family.isAddress);
    if (address !== null) context.set(name, address);
  }
}

function areKnown(networks: Networks): boolean {
  if (networks === undefined) return false;
  const isKnown = (family: Family | null | undefined) => family === null || family?.address !== undefined;
  return Object.values(networks ?? {}).every((card) => card !== undefined && isKnown(card.ipv4) && isKnown(card.ipv6));
}
