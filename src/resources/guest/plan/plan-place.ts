import type { GuestPlan, GuestState } from "../context.ts";

/**
 * Node is placement: another user or HA moved the guest for a reason. Only another `node` moves it, unless `placement`
 * enforces the configured one.
 */
export async function planPlace(context: GuestPlan, prior: GuestState): Promise<void> {
  const { kind, config, privateState } = context;
  const { node } = config;
  if (!node || !prior.node || node === prior.node || node !== privateState.node) return;
  if (config.placement !== "enforce") {
    context.keep("node");
    return;
  }
  const { report, api } = context;
  const view = await api?.inventory.snapshot();
  if (view?.nodes.get(node)?.status === "offline") {
    context.keep("node");
    report.warning(
      "node",
      `The ${kind.noun} stays where it is`,
      `${kind.title} ${prior.vmid} is on ${prior.node}. \`placement = "enforce"\` moves it back to ${node} as soon as that node is online.`,
    );
    return;
  }
  const manager = view?.guests.get(prior.vmid ?? 0)?.hastate
    ? ` HA manages it: the migration is a request to its manager, which may refuse it or move the ${kind.noun} again if a rule prefers another node.`
    : "";
  report.warning(
    "node",
    `The ${kind.noun} will be moved back`,
    `${kind.title} ${prior.vmid} was moved from ${node} to ${prior.node}, and \`placement = "enforce"\`.${manager}`,
  );
}
