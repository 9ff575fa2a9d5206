import { type ConfigDraft, parseDuration } from "#kit";
import type { PlannedPower } from "../../guest/kind.ts";
import { planAddresses as planAddressesOf } from "../../guest/plan/plan-addresses.ts";
import type { VmPlan } from "../contexts.ts";
import { configuredAddresses } from "../outputs.ts";

/** Static addresses are known while planning; what the guest agent says is known after the apply. */
export const planAddresses = (context: VmPlan, after: ConfigDraft, power: PlannedPower): void =>
  planAddressesOf(context, after, power, {
    isAsked: (tree) => asksAgent((tree as Pick<VmPlan["config"], "agent">).agent),
    configured: configuredAddresses,
  });

/** Whether the guest agent is asked for addresses; undefined: not known yet. */
function asksAgent(agent: { readonly wait?: string | null | undefined } | null | undefined): boolean | undefined {
  const wait = agent === null ? null : agent?.wait;
  return wait === undefined ? undefined : wait !== null && parseDuration(wait) !== 0;
}
