import { isPveError } from "../errors.ts";
import type { Logger } from "../logger.ts";
import { pause } from "../pause.ts";
import type { GuestAddress, GuestConfig, QemuCalls } from "../qemu.ts";

const pauseMs = 100;

/**
 * Waits until a new clone is ready: its config is readable and has no `lock`, for at most `limitMs`. Returns that
 * config, or null after the time limit or if no wait was requested; the next write then handles a remaining lock.
 */
export async function stabilise(
  calls: Pick<QemuCalls, "getConfig">,
  vm: GuestAddress,
  { limitMs, logger, signal }: { limitMs: number; logger: Logger; signal?: AbortSignal | undefined },
): Promise<GuestConfig | null> {
  const started = performance.now();
  const elapsed = () => Math.round(performance.now() - started);
  const step = (outcome: string) => ({
    event: "step",
    step: "stabilise",
    vmid: vm.vmid,
    outcome,
    duration_ms: elapsed(),
  });
  while (elapsed() < limitMs) {
    const config = await readIfPossible(calls, vm, signal);
    if (config !== null && config.lock === undefined) {
      logger.debug("the clone is ready", step("ok"));
      return config;
    }
    await pause(Math.max(0, Math.min(pauseMs, limitMs - elapsed())), signal);
  }
  if (limitMs > 0) {
    logger.debug("the clone is not ready yet, continuing", step("timeout"));
  }
  return null;
}

/**
 * Not on this node yet, or not visible yet to a caller whose privileges come from the pool, which the clone enters
 * last.
 */
async function readIfPossible(
  calls: Pick<QemuCalls, "getConfig">,
  vm: GuestAddress,
  signal?: AbortSignal,
): Promise<GuestConfig | null> {
  try {
    return await calls.getConfig(vm, {}, { signal });
  } catch (reason) {
    // The clone is there: a read that fails must not make it look as if it were not.
    if (isPveError(reason)) {
      return null;
    }
    throw reason;
  }
}
