import type { Logger } from "../logger.ts";
import type { TaskSettings } from "../settings.ts";
import type { TaskCalls } from "../tasks.ts";
import { parseUpid, type Upid } from "../upid.ts";
import { NodeWatch } from "./node-watch.ts";
import { resultOf, type TaskResult } from "./task-result.ts";

export interface WaitOptions {
  /** Ends the waiting; the task itself is stopped only where that leaves nothing half done. */
  readonly signal?: AbortSignal | undefined;
  /** A task nobody has claimed yet: waiting for it neither claims it nor gives the right to stop it. */
  readonly isForeign?: boolean;
  /** How long the task may show no progress, if that is longer than for other tasks. */
  readonly patienceMs?: number | undefined;
}

/**
 * Tasks PVE undoes or that have nothing to undo when interrupted: a clone frees its volumes and removes its config, a
 * download its file, a shutdown just stops waiting. Whatever moves, resizes or deletes data runs on.
 */
const safeToStop: ReadonlySet<string> = new Set(["qmclone", "qmshutdown", "download", "imgcopy", "vzdump"]);

/** PVE needs up to 5 s to end a task. */
const stopTimeoutMs = 10_000;

/** Waiting for tasks, whichever node runs them. */
export interface TaskWatch {
  /** Resolves when the task ended well; rejects with what it said, and its log's tail, when it did not. */
  wait(upid: string, options?: WaitOptions): Promise<TaskResult>;
  /** Whether somebody in this process was given that task's id, or has claimed it. */
  isClaimed(upid: string): boolean;
  /** Makes the task one's own; false when somebody else was first. */
  claim(upid: string): boolean;
}

/** `onEnd` is called whenever a task has ended, well or not. */
export function createTaskWatch(
  tasks: TaskCalls,
  settings: TaskSettings,
  logger: Logger,
  onEnd: () => void = () => {},
): TaskWatch {
  const nodes = new Map<string, NodeWatch>();
  const claimed = new Set<string>();

  const watchOf = (node: string): NodeWatch => {
    const watch = nodes.get(node) ?? new NodeWatch(node, tasks, settings, logger);
    nodes.set(node, watch);
    return watch;
  };

  const stop = async (upid: Upid, isForeign: boolean): Promise<void> => {
    if (isForeign || !safeToStop.has(upid.type)) {
      logger.info("no longer waiting; the task runs on", { task: upid.text });
      return;
    }
    logger.info("stopping the task", { task: upid.text });
    await tasks.stop(upid.text, { signal: AbortSignal.timeout(stopTimeoutMs) }).catch((reason: unknown) => {
      logger.warn("the task could not be stopped", { task: upid.text, error: String(reason) });
    });
  };

  const exitStatus = (upid: Upid, { signal, isForeign = false, patienceMs }: WaitOptions): Promise<string> =>
    new Promise((resolve, reject) => {
      const watch = watchOf(upid.node);
      const onAbort = () => {
        watch.remove(upid);
        void stop(upid, isForeign).then(() => reject(signal?.reason));
      };
      const done = () => signal?.removeEventListener("abort", onAbort);
      if (signal?.aborted) {
        onAbort();
        return;
      }
      signal?.addEventListener("abort", onAbort, { once: true });
      watch.add({
        upid,
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
      const status = await exitStatus(upid, options).finally(onEnd);
      return resultOf(tasks, text, status);
    },
    isClaimed: (upid) => claimed.has(upid),
    claim: (upid) => !claimed.has(upid) && claimed.add(upid).has(upid),
  };
}
