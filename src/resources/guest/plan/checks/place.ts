import { alternatives, checkReference, type Session } from "#kit";
import type { GuestPlan } from "../../context.ts";
import { type Change, isPlaced } from "./change.ts";

/** Checks the node if the plan places the guest there. Returns whether checks on that node are possible. */
export async function checkNode(context: GuestPlan, api: Session, change: Change): Promise<boolean> {
  const { node } = change;
  if (node === undefined || !isPlaced(context, change)) return true;
  if (!(await checkReference(api, context.report, { kind: "node", name: node, path: "node" }))) return false;
  const { nodes, isOnline } = await api.inventory.snapshot();
  if (isOnline(node)) return true;
  const online = [...nodes.keys()].filter(isOnline);
  context.report.error(
    "node",
    `Node ${node} is offline`,
    `A ${context.kind.noun} cannot be placed on it now. Wait until it is back, or choose another node. ${alternatives("", online)}`,
  );
  return false;
}

export async function checkPool({ config: { pool }, prior, report }: GuestPlan, api: Session): Promise<void> {
  if (pool && pool !== prior?.pool) await checkReference(api, report, { kind: "pool", name: pool, path: "pool" });
}
