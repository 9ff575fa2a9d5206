import type { Api } from "../api.ts";
import type { Logger } from "../logger.ts";
import { createSemaphore } from "../semaphore.ts";
import type { LockSettings } from "../settings.ts";
import { withLockRetry } from "./lock-retry.ts";

/**
 * The same calls, for writes to one file of the cluster's configuration. PVE changes it under a lock that other callers
 * try once a second, for ten seconds (pve-cluster: src/PVE/Cluster.pm, `cfs_lock`). So the writes of this process are
 * sent one at a time, and repeated if another process holds the lock.
 */
export function queueFileWrites(
  file: string,
  api: Api,
  { settings, logger }: { settings: LockSettings; logger: Logger },
): Api {
  const queue = createSemaphore(1);
  const write =
    (send: Api["post"] | Api["put"] | Api["delete"]): Api["post"] =>
    (path, given, answer, options) => {
      const attempt = () => send(path, given, answer, options);
      const signal = options?.signal;
      return queue.run(() => withLockRetry(attempt, { settings, logger, what: `change ${file}`, signal }), signal);
    };
  return { ...api, post: write(api.post), put: write(api.put), delete: write(api.delete) };
}
