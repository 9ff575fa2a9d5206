import { AsyncLocalStorage } from "node:async_hooks";
import type { Logger } from "../logger.ts";
import type { TaskSettings } from "../settings.ts";
import type { TaskCalls } from "../tasks.ts";
import { parseUpid, type Upid } from "../upid.ts";
import { NodeWatch } from "./node-watch.ts";
import { resultOf, type TaskResult } from "./task-result.ts";
import { TaskTimes } from "./task-times.ts";
import { type TaskFate, WaitAborted } from "./wait-aborted.ts";

export interface WaitOptions {
  /** Ends the wait; the task itself is stopped only where that leaves nothing half done. */
  readonly signal?: AbortSignal | undefined;
  /** A task without an owner in this process: waiting for it neither claims it nor allows stopping it. */
  readonly isForeign?: boolean;
  /** How long the task may show no progress, if longer than for other tasks. */
  readonly patienceMs?: number | undefined;
}

/**
 * Tasks that PVE undoes when interrupted, or that have nothing to undo: a clone frees its volumes and removes its
 * config, a download its file, a shutdown only stops waiting. Tasks that move, resize or delete data keep running.
 */
const safeToStop: ReadonlySet<string> = new Set(["qmclone", "qmshutdown", "download", "imgcopy", "vzdump"]);

/** PVE needs up to 5 s to end a task. */
const stopTimeoutMs = 10_000;

/** Waiting for tasks on any node. */
export interface TaskWatch {
  /**
   * Resolves when the task succeeded; rejects with its error and the end of its log when it failed, and with a `WaitAborted` when the
   * signal was aborted.
   */
  wait(upid: string, options?: WaitOptions): Promise<TaskResult>;
  /** Whether a caller in this process received that task's id, or has claimed it. */
  isClaimed(upid: string): boolean;
  /** Claims the task; false when another caller was first. */
  claim(upid: string): boolean;
}

interface Listeners {
  /** Called whenever a task has ended, successfully or not, or is no longer waited for. */
  readonly onEnd?: (upid: Upid) => void;
  /** Called on behalf of the caller whose own task has succeeded with warnings. */
  readonly onWarnings?: ((upid: string, lines: readonly string[]) => void) | undefined;
}

export function createTaskWatch(
  tasks: TaskCalls,
  settings: TaskSettings,
  logger: Logger,
  { onEnd = () => {}, onWarnings = () => {} }: Listeners = {},
): TaskWatch {
  const nodes = new Map<string, NodeWatch>();
  const claimed = new Set<string>();
  const times = new TaskTimes();

  const watchOf = (node: string): NodeWatch => {
    const watch = nodes.get(node) ?? new NodeWatch(node, { tasks, settings, logger, times });
    nodes.set(node, watch);
    return watch;
  };

  const stop = async (upid: Upid, isForeign: boolean): Promise<TaskFate> => {
    if (isForeign || !safeToStop.has(upid.type)) {
      logger.info("no longer waiting; the task keeps running", { task: upid.text });
      return "continues";
    }
    logger.info("stopping the task", { task: upid.text });
    try {
      await tasks.stop(upid.text, { signal: AbortSignal.timeout(stopTimeoutMs) });
      return "stopped";
    } catch (reason) {
      logger.warn("the task could not be stopped", { task: upid.text, error: String(reason) });
      return "not_stopped";
    }
  };

  const exitStatus = (upid: Upid, { signal, isForeign = false, patienceMs }: WaitOptions): Promise<string> =>
    new Promise((resolve, reject) => {
      let remove = () => {};
      // The signal is that of the whole run: the lines are about what waits here.
      const within = AsyncLocalStorage.snapshot();
      const onAbort = () => {
        remove();
        void within(stop, upid, isForeign).then((fate) => reject(new WaitAborted(upid.text, fate, signal?.reason)));
      };
      const done = () => signal?.removeEventListener("abort", onAbort);
      if (signal?.aborted) {
        onAbort();
        return;
      }
      signal?.addEventListener("abort", onAbort, { once: true });
      remove = watchOf(upid.node).add({
        upid,
        isForeign,
        patienceMs,
        finish: (status) => {
          done();
          resolve(status);
        },
        fail: (error) => {
          done();
          reject(error);
        },
      });
    });

  return {
    async wait(text, options = {}) {
      const upid = parseUpid(text);
      if (options.isForeign !== true) {
        claimed.add(text);
      }
      logger.debug("waiting for the task", { task: text, type: upid.type });
      const status = await exitStatus(upid, options).finally(() => onEnd(upid));
      const result = await resultOf(tasks, text, status);
      if (options.isForeign !== true && result.warnings.length > 0) onWarnings(text, result.warnings);
      return result;
    },
    isClaimed: (upid) => claimed.has(upid),
    claim: (upid) => !claimed.has(upid) && claimed.add(upid).has(upid),
  };
}
