import { alternatives, checkReference, type Session } from "#kit";
import type { VmPlan } from "../../contexts.ts";
import { type Change, isPlaced } from "./change.ts";

/** The node, where the plan puts the VM on one. Returns whether there is anything to look at there. */
export async function checkNode(context: VmPlan, api: Session, change: Change): Promise<boolean> {
  const { node } = change;
  if (node === undefined || !isPlaced(context, change)) return true;
  const { nodes, isOnline } = await api.inventory.snapshot();
  const online = [...nodes.keys()].filter(isOnline);
  if (!nodes.has(node)) {
    context.report.error("node", "No such node", `Node \`${node}\` does not exist. ${alternatives(node, online)}`);
    return false;
  }
  if (isOnline(node)) return true;
  context.report.error(
    "node",
    `Node ${node} is offline`,
    `A VM cannot be placed on it now. Wait until it is back, or choose another node. ${alternatives("", online)}`,
  );
  return false;
}

export async function checkPool({ config: { pool }, prior, report }: VmPlan, api: Session): Promise<void> {
  if (pool && pool !== prior?.pool) await checkReference(api, report, { kind: "pool", name: pool, path: "pool" });
}
