import { withAftermath } from "#kit";
import type { GuestSettle } from "../context.ts";
import type { GuestPrivateState } from "../private-state.ts";

/** The completed steps of a create, for the message when it fails. */
export class Progress {
  readonly #done: string[] = [];

  add(step: string, isDone: boolean = true): void {
    if (isDone) this.#done.push(step);
  }

  toString(): string {
    return this.#done.join(", ");
  }
}

/** Completes a new guest. If that fails, the error says what exists, and both ways to continue. */
export async function withProgress(
  { kind, id, desired, handover }: GuestSettle,
  work: (progress: Progress) => Promise<void>,
): Promise<void> {
  const progress = new Progress();
  const { clone, restore } = desired;
  progress.add(clone ? `cloned from ${clone.template}` : restore ? `restored from ${restore.archive}` : "created");
  try {
    await work(progress);
  } catch (reason) {
    const what = `${kind.title} ${id.vmid}`;
    throw withAftermath(
      reason,
      [
        `${what} exists on ${handover.node} and is in the state, marked as tainted. Done so far: ${progress}.`,
        "The next apply destroys it and makes it anew. To keep it instead, correct the cause, run `terraform untaint ADDRESS`, and apply: the apply then does the rest.",
      ].join(" "),
    );
  }
}

/** A guest whose create failed, and that is kept, has yet to be started once; one that a failed change has stopped, again. */
export const powerWanted = (
  power: "running" | "stopped" | "unmanaged" | null | undefined,
  { mark, isToStart = false }: Pick<GuestPrivateState, "mark" | "isToStart">,
): typeof power => (power === null && (mark !== null || isToStart) ? "running" : power);
