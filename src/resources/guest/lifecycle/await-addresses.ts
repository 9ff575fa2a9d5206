import { setTimeout as sleep } from "node:timers/promises";
import { isPveError } from "#kit";
import type { Addresses } from "../outputs.ts";

const pauseMs = 1_000;

/** Asks until there is an address that can be reached. Null: the time is up. A missing privilege ends it at once. */
export async function untilReachable(
  ask: () => Promise<Addresses>,
  { limitMs, signal }: { readonly limitMs: number; readonly signal: AbortSignal },
): Promise<Addresses | null> {
  const until = performance.now() + limitMs;
  while (performance.now() < until) {
    const found = await ask().catch((reason: unknown): Addresses => {
      if (isPveError(reason, "permission", "auth", "not_found")) throw reason;
      return {};
    });
    const isReachable = Object.values(found).some((list) =>
      list.some((ip) => !/^(fe80:|127\.|::1$|169\.254\.)/i.test(ip)),
    );
    if (isReachable) return found;
    await sleep(pauseMs, undefined, { signal });
  }
  return null;
}
