import type { Api } from "../api.ts";
import type { Logger } from "../logger.ts";
import { createSemaphore } from "../semaphore.ts";
import type { LockSettings } from "../settings.ts";
import { withLockRetry } from "./lock-retry.ts";

/**
 * The same calls, where the writes go to one file of the cluster's configuration. PVE changes it under a lock that
 * others look for once a second and wait ten seconds for (pve-cluster: src/PVE/Cluster.pm, `cfs_lock`): so ours go one
 * at a time, and again if somebody else was faster.
 */
export function writingTo(
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
