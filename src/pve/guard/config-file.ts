import type { Api } from "../api.ts";
import type { Logger } from "../logger.ts";
import { createSemaphore } from "../semaphore.ts";
import type { LockSettings } from "../settings.ts";
import { withLockRetry } from "./lock-retry.ts";

interface Parts {
  readonly settings: LockSettings;
  readonly logger: Logger;
  /** Waits for a task. */
  finish(upid: string, signal: AbortSignal | undefined): Promise<unknown>;
}

/** The calls for each file of the configuration, by its name. */
export function fileWriters(api: Api, parts: Parts): (file: string) => Api {
  const writers = new Map<string, Api>();
  return (file) => {
    const writer = writers.get(file) ?? queueFileWrites(file, api, parts);
    writers.set(file, writer);
    return writer;
  };
}

/**
 * The same calls, for writes to one file of the cluster's configuration. PVE changes it under a lock that other callers
 * try once a second, for ten seconds (pve-cluster: src/PVE/Cluster.pm, `cfs_lock`). So the writes of this process are
 * sent one at a time, and repeated if another process holds the lock. A write that PVE makes in a task is complete when
 * the task is.
 */
function queueFileWrites(file: string, api: Api, { settings, logger, finish }: Parts): Api {
  const queue = createSemaphore(1);
  const write =
    (send: Api["post"] | Api["put"] | Api["delete"]): Api["post"] =>
    (path, given, answer, options) => {
      const signal = options?.signal;
      const attempt = async () => {
        const answered = await send(path, given, answer, options);
        if (typeof answered === "string" && answered.startsWith("UPID:")) await finish(answered, signal);
        return answered;
      };
      return queue.run(() => withLockRetry(attempt, { settings, logger, what: `change ${file}`, signal }), signal);
    };
  return { ...api, post: write(api.post), put: write(api.put), delete: write(api.delete) };
}
