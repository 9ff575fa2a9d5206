import { Failure, type Session } from "#kit";
import type { GuestAddress } from "#pve";
import type { GuestBase } from "../base.ts";

/** The guest of an action, and its present state. */
export interface Target extends GuestAddress {
  readonly isRunning: boolean;
}

/** Reads the status of the guest itself: the one in the shared inventory is as old as the run. */
export async function findTarget(kind: GuestBase, api: Session, vmid: number, signal: AbortSignal): Promise<Target> {
  const found = await api.inventory.locate(vmid);
  if (found?.type !== kind.type) {
    const other = found?.type === "lxc" ? "container" : "VM";
    const detail =
      found === null
        ? `${kind.title} ${vmid} does not exist, or ${api.identity} lacks VM.Audit on it.`
        : `${vmid} is a ${other}, not a ${kind.noun}.`;
    throw new Failure(`${kind.title} not found`, detail, { path: "vmid" });
  }
  const guest = { node: found.node, vmid };
  const { status, template } = await kind.calls(api).getStatus(guest, { signal });
  if (template) {
    const detail = `${kind.title} ${vmid} is a template, which never runs.`;
    throw new Failure(`${kind.title} is a template`, detail, { path: "vmid" });
  }
  return { ...guest, isRunning: status === "running" };
}

/** Refuses an action on a guest that does not run. `what`: the action as a participle. */
export function requireRunning(kind: GuestBase, { vmid, isRunning }: Target, what: string): void {
  if (isRunning) return;
  throw new Failure(
    `${kind.title} ${vmid} is not running`,
    `Only a running ${kind.noun} can be ${what}; \`${kind.resource}_start\` starts it.`,
    { path: "vmid" },
  );
}
