import type { ClusterCalls } from "./cluster.ts";
import { isPveError, type PveError } from "./errors.ts";
import type { Logger } from "./logger.ts";
import { type RetryPolicy, retry } from "./retry.ts";
import { createSemaphore } from "./semaphore.ts";

/** How many ids are tried before another cause is assumed. */
const maxAttempts = 10;

/** Allocates VMIDs. PVE reserves none, so this does: within the process by a list, against others by trying again. */
export interface VmidAllocator {
  /** Calls `create` with a free id, and with another one each time another client was faster. */
  withFreshId<T>(create: (vmid: number) => Promise<T>, signal?: AbortSignal): Promise<T>;
  /** Keeps an id that the user chose from being allocated. */
  reserve(vmid: number): void;
}

/** `isExcluded`: VMIDs that no guest may have. */
export function createVmidAllocator(
  cluster: ClusterCalls,
  logger: Logger,
  isExcluded: (vmid: number) => boolean = () => false,
): VmidAllocator {
  const reserved = new Set<number>();
  const oneAtATime = createSemaphore(1);

  const isFree = async (vmid: number, signal?: AbortSignal): Promise<boolean> => {
    try {
      await cluster.checkId(vmid, { signal });
      return true;
    } catch (reason) {
      if (isPveError(reason, "exists")) {
        return false;
      }
      throw reason;
    }
  };

  const allocate = (signal?: AbortSignal): Promise<number> =>
    oneAtATime.run(async () => {
      let vmid = await cluster.nextId({ signal });
      // PVE returns the same id until its guest exists; the following ids are searched here.
      const isTakenHere = () => reserved.has(vmid) || isExcluded(vmid);
      for (let isFirst = true; isTakenHere() || !(isFirst || (await isFree(vmid, signal))); isFirst = false) {
        vmid += 1;
      }
      reserved.add(vmid);
      return vmid;
    }, signal);

  return {
    reserve: (vmid) => void reserved.add(vmid),

    async withFreshId(create, signal) {
      let vmid = 0;
      const policy: RetryPolicy = {
        attempts: maxAttempts,
        isWorthRetrying: (reason) => isTaken(reason, vmid),
        // Stays on the list: it belongs to another client.
        onRetry: (_, { attempt }) =>
          logger.info("the VMID was taken by another client, trying the next", { vmid, attempt }),
      };
      try {
        return await retry(policy, async () => {
          vmid = await allocate(signal);
          return create(vmid);
        });
      } catch (reason) {
        reserved.delete(vmid);
        throw reason;
      }
    },
  };
}

/**
 * "Already exists" is never success; a lock on the new guest's config means that another client creates it right now.
 */
function isTaken(reason: unknown, vmid: number): reason is PveError {
  return isPveError(reason, "exists") || (isPveError(reason, "locked") && reason.details.lock?.vmid === vmid);
}
