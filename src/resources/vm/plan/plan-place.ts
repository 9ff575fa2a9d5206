import type { VmPlan, VmState } from "../contexts.ts";

/**
 * Node is placement: who moved the VM had a reason, so only another `node` moves it, unless `placement` says that the
 * written one is to be kept.
 */
export async function planPlace(context: VmPlan, prior: VmState): Promise<void> {
  const { config, privateState } = context;
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
      "The VM stays where it is",
      `VM ${prior.vmid} is on ${prior.node}. \`placement = "enforce"\` moves it back to ${node} as soon as that node is online.`,
    );
    return;
  }
  const manager = view?.guests.get(prior.vmid ?? 0)?.hastate
    ? " HA manages it: the migration is a request to its manager, which may refuse it or move the VM again if a rule prefers another node."
    : "";
  report.warning(
    "node",
    "The VM will be moved back",
    `VM ${prior.vmid} was moved from ${node} to ${prior.node}, and \`placement = "enforce"\`.${manager}`,
  );
}
