import { type ConfigDraft, parseDuration } from "#kit";
import type { PlannedPower } from "../../guest/kind.ts";
import { addressOutputs, firstRoutable } from "../../guest/outputs.ts";
import { ipv4, ipv6 } from "../../guest/validate/addresses.ts";
import type { VmPlan } from "../contexts.ts";
import { configuredAddresses } from "../outputs.ts";
import { families } from "../slots.ts";

const names = ["ip_addresses", "ipv4_address", "ipv6_address"] as const;

/** Static addresses are known while planning; what the guest agent says is known after the apply. */
export function planAddresses(context: VmPlan, after: ConfigDraft, { isUp, isStarted }: PlannedPower): void {
  const { config, planned, prior } = context;
  const isAskedNow = asksAgent(prior === null ? config.agent : planned.agent);
  const isKnown = areAddressesKnown(config.networks);
  const configured = configuredAddresses(after);
  if (isKnown && (isUp === false || isAskedNow === false)) {
    const outputs = addressOutputs(configured, configured);
    for (const name of names) context.set([name], outputs[name]);
    return;
  }
  const wasAsked = prior?.status === "running" && asksAgent(prior.agent);
  const isSame = prior !== null && wasAsked && !isStarted && isKnown && !context.changes.has("networks");
  if (isSame && isAskedNow) return;
  for (const name of names) context.setUnknown(name);
  if (isKnown) planStatic(context, after);
}

/** Without a static address there is no gateway, whatever there was before its line. */
export function planGateways(context: VmPlan): void {
  const { config, planned } = context;
  for (const [slot, card] of Object.entries(planned.networks ?? {})) {
    for (const family of ["ipv4", "ipv6"] as const) {
      const { address, gateway } = card?.[family] ?? {};
      if (!gateway || address === undefined || address?.includes("/") || config.networks?.[slot]?.[family]?.gateway)
        continue;
      context.set(["networks", slot, family, "gateway"], null);
    }
  }
}

/** Whether the guest agent is asked for addresses; undefined: not known yet. */
function asksAgent(agent: { readonly wait?: string | null | undefined } | null | undefined): boolean | undefined {
  const wait = agent === null ? null : agent?.wait;
  return wait === undefined ? undefined : wait !== null && parseDuration(wait) !== 0;
}

/** The address of the first card comes first, whatever the guest says of it. */
function planStatic(context: VmPlan, after: ConfigDraft): void {
  const [first] = after.slots(families.networks);
  if (first === undefined) return;
  const own = { [first]: configuredAddresses(after)[first] ?? [] };
  for (const [name, family] of [
    ["ipv4_address", ipv4],
    ["ipv6_address", ipv6],
  ] as const) {
    const address = firstRoutable(own, family.isAddress);
    if (address !== null) context.set(name, address);
  }
}

function areAddressesKnown(networks: VmPlan["config"]["networks"]): boolean {
  if (networks === undefined) return false;
  const isKnown = (family: { readonly address?: string | null | undefined } | null | undefined) =>
    family === null || family?.address !== undefined;
  return Object.values(networks ?? {}).every((card) => card !== undefined && isKnown(card.ipv4) && isKnown(card.ipv6));
}
