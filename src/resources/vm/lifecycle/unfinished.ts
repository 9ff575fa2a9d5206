import { withAftermath } from "#kit";
import type { VmSettle } from "../contexts.ts";
import type { VmPrivateState } from "../private-state.ts";

/** What of a creation is done, for whoever has to know when it ends early. */
export class Progress {
  readonly #done: string[] = [];

  add(step: string, isDone: boolean = true): void {
    if (isDone) this.#done.push(step);
  }

  toString(): string {
    return this.#done.join(", ");
  }
}

/** Runs what makes a new VM complete. Where it fails, the error says what exists, and both ways to go on. */
export async function withProgress(
  { id, desired, handover }: Pick<VmSettle, "id" | "desired" | "handover">,
  work: (progress: Progress) => Promise<void>,
): Promise<void> {
  const progress = new Progress();
  progress.add(desired.clone ? `cloned from ${desired.clone.template}` : "created");
  try {
    await work(progress);
  } catch (reason) {
    throw withAftermath(reason, aftermath(id.vmid, handover.node, String(progress)));
  }
}

const aftermath = (vmid: number, node: string, done: string): string =>
  [
    `VM ${vmid} exists on ${node} and is in the state, marked as tainted. Done so far: ${done}.`,
    "The next apply destroys it and makes it anew. To keep it instead, correct the cause, run `terraform untaint ADDRESS`, and apply: the apply then does the rest.",
  ].join(" ");

/** A VM whose creation ended early, and that somebody keeps, is yet to be started once. */
export const powerWanted = (
  power: "running" | "stopped" | "unmanaged" | null | undefined,
  { mark }: Pick<VmPrivateState, "mark">,
): typeof power => (power === null && mark !== null ? "running" : power);
