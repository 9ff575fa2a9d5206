import { ProviderProblem } from "./run-command.ts";

const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** Ctrl-C and a request to end: the command stops, removes what it has begun, and says so. */
export async function interruptible<T>(act: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const controller = new AbortController();
  const interrupt = () => controller.abort(new ProviderProblem("Interrupted. The cluster is unchanged."));
  for (const name of signals) process.on(name, interrupt);
  try {
    return await act(controller.signal);
  } finally {
    for (const name of signals) process.off(name, interrupt);
  }
}

/** For what only reads, and can be left alone at any time. */
export async function unlessInterrupted<T>(signal: AbortSignal, reading: Promise<T>): Promise<T> {
  signal.throwIfAborted();
  const interrupted = new Promise<never>((_, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
  return Promise.race([reading, interrupted]);
}
