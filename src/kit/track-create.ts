import { Failure } from "#framework";
import { withAftermath } from "./aftermath.ts";
import { isPveError, isWaitAborted } from "./pve-error.ts";

interface Tracked<I> {
  /** Of `create`: stores the identity of the object. */
  created(id: I): void;
}

interface NewObject<I> {
  readonly id: I;
  /** For messages: `VM 401`. */
  readonly label: string;
}

/** Sends the call that creates the object. */
type Send = <R>(submit: () => Promise<R>) => Promise<R>;

/**
 * Runs the calls that create an object. From the moment at which it may exist until it is certain that it does not, it
 * belongs in the state: a task that is given up, an answer that stays lost or an interruption leaves a tainted object, not
 * an orphan. `read` decides later what became of it.
 */
export async function trackCreate<I, T>(
  { created }: Tracked<I>,
  { id, label }: NewObject<I>,
  work: (send: Send) => Promise<T>,
): Promise<T> {
  let isSent = false;
  const send: Send = async (submit) => {
    isSent = true;
    try {
      return await submit();
    } catch (reason) {
      isSent = isUndecided(reason) ?? true;
      throw reason;
    }
  };
  try {
    const made = await work(send);
    created(id);
    return made;
  } catch (reason) {
    if (!(isUndecided(reason) ?? isSent)) throw reason;
    created(id);
    throw withAftermath(reason, textFor(label));
  }
}

/** Whether the error leaves open what became of the work; undefined: it is not about that. */
function isUndecided(reason: unknown): boolean | undefined {
  if (isPveError(reason)) return reason.mayHaveHappened;
  if (isWaitAborted(reason)) return reason.fate !== "stopped";
  return reason instanceof Failure ? false : undefined;
}

const textFor = (label: string): string =>
  [
    `It is not certain yet whether ${label} is made, so it is in the state, marked as tainted.`,
    "The next plan looks for it. If it exists, the next apply waits for the end of its task, destroys it and makes it anew. To keep it instead, wait for the end of the task, run `terraform untaint ADDRESS`, and apply: the apply then does the rest.",
  ].join(" ");
