import { setTimeout as sleep } from "node:timers/promises";
import { provenTask, type Session, showingLog } from "#kit";
import type { GuestAddress, TaskResult } from "#pve";
import type { GuestBase } from "../base.ts";

export interface TaskContext {
  readonly kind: GuestBase;
  readonly api: Session;
  readonly signal: AbortSignal;
  /** Shows a line to the user. */
  progress(line: string): void;
}

/** Runs a task on a guest and shows its log while it runs. */
export const taskProgress = (
  context: TaskContext,
  guest: GuestAddress,
  what: string,
  submit: () => Promise<string>,
  patienceMs?: number,
): Promise<TaskResult | null> => {
  const { kind, api, signal } = context;
  const { node, vmid } = guest;
  // A lost answer is proved by the task.
  return showingLog(context, { label: `${kind.title} ${vmid}` }, submit, (begin) =>
    provenTask(api, { what, node, guest, task: { id: String(vmid) }, submit: begin, signal, patienceMs }),
  );
};

/** Waits until the guest runs, or is stopped: under HA, and after a reboot, that is later than the end of the task. */
export async function awaitStatus(
  { kind, api, signal, progress }: TaskContext,
  guest: GuestAddress,
  wanted: "running" | "stopped",
): Promise<void> {
  while ((await kind.calls(api).getStatus(guest, { signal })).status !== wanted) {
    await sleep(api.settings.tasks.pollMs, undefined, { signal });
  }
  progress(`${kind.title} ${guest.vmid}: ${wanted}`);
}
