import type { CallOptions } from "./api.ts";
import type { LockHeld } from "./errors.ts";
import { type CloneLimits, createCloneLimits } from "./guard/clone-limits.ts";
import { withLockRetry } from "./guard/lock-retry.ts";
import { logQueueWait } from "./guard/queue-wait.ts";
import { stabilise } from "./guard/stabilise.ts";
import { createWriteQueue } from "./guard/write-queue.ts";
import type { Logger } from "./logger.ts";
import type { GuestAddress, GuestConfig, QemuCalls } from "./qemu.ts";
import type { CloneSettings, LockSettings } from "./settings.ts";
import type { TaskCalls } from "./tasks.ts";
import type { Parameters } from "./transport/call.ts";
import type { TaskResult } from "./watch/task-result.ts";
import type { TaskWatch } from "./watch/task-watch.ts";

/** One write on one guest. */
export interface Operation<T extends string | null> {
  /** For users: "configure VM 401". */
  readonly what: string;
  /** Makes the call; returns a task's id, or null when the call is complete. May be called again after a lock. */
  readonly submit: (signal?: AbortSignal) => Promise<T>;
  readonly signal?: AbortSignal | undefined;
  /** How long its task may show no progress, if longer than for other tasks. */
  readonly patienceMs?: number | undefined;
}

/** What `clone` needs besides the request itself. */
export interface CloneOperation {
  /** For users. Default: "clone VM 9000 to 401". */
  readonly what?: string;
  /** The calls of the guest's type. Default: those of VMs. */
  readonly calls?: CloneCalls;
  readonly source: GuestAddress;
  readonly request: Parameters & { readonly newid: number; readonly target?: string };
  /** Storages of the new volumes, as far as known: they limit how many clones run at a time. */
  readonly storages?: readonly string[];
  /** PVE locks the source exclusively, so that it can be cloned once at a time: a running VM, or any container. */
  readonly isSourceLocked?: boolean;
  readonly signal?: AbortSignal | undefined;
}

export interface CloneCalls extends Pick<QemuCalls, "getConfig"> {
  clone(source: GuestAddress, request: CloneOperation["request"], options?: CallOptions): Promise<string>;
}

/** A finished clone. */
export interface Cloned {
  readonly vm: GuestAddress;
  readonly task: TaskResult;
  /** The new config, if the clone became ready in time. */
  readonly config: GuestConfig | null;
}

/** Reliable writes: one at a time per guest, repeated after a lock, with waiting for the task. */
export interface Operations {
  run<T extends string | null>(vm: GuestAddress, operation: Operation<T>): Promise<T extends null ? null : TaskResult>;
  clone(operation: CloneOperation): Promise<Cloned>;
  /** The same for objects that belong to no guest: a file on a storage, a setting of the cluster. */
  write<T extends string | null>(operation: Operation<T>): Promise<T extends null ? null : TaskResult>;
}

interface Parts {
  readonly qemu: QemuCalls;
  readonly tasks: TaskCalls;
  readonly watch: TaskWatch;
  readonly locks: LockSettings;
  readonly clones: CloneSettings;
  readonly logger: Logger;
}

export function createOperations(parts: Parts): Operations {
  const { qemu, tasks, watch, locks, clones, logger } = parts;
  const queue = createWriteQueue();
  const limits: CloneLimits = createCloneLimits(clones);

  /** A lock file shows its guest, but not its holder: most often a task that runs on that guest. */
  const holderOn =
    (node: string) =>
    async (lock: LockHeld): Promise<string | undefined> => {
      if (lock.vmid === undefined) {
        return undefined;
      }
      const { tasks: active } = await tasks.list(node, { source: "active", vmid: lock.vmid });
      const running = active.filter(({ endtime }) => endtime === undefined);
      return running.map(({ type, user, upid }) => `${type} of ${user} (${upid})`).join(", ") || undefined;
    };

  const attempt = <T extends string | null>(
    vm: GuestAddress | null,
    { what, submit, signal, patienceMs }: Operation<T>,
  ) =>
    withLockRetry(
      async () => {
        const upid = await submit(signal);
        return upid === null ? null : watch.wait(upid, { signal, patienceMs });
      },
      { settings: locks, logger, what, signal, ...(vm && { findHolder: holderOn(vm.node) }) },
    );

  /** The last log line of an operation: its result and its duration. */
  const timed = async <T>(what: string, work: () => Promise<T>): Promise<T> => {
    const started = performance.now();
    const duration = () => ({ duration_ms: Math.round(performance.now() - started) });
    try {
      const result = await work();
      logger.debug("done", { what, ...duration() });
      return result;
    } catch (reason) {
      logger.debug("failed", { what, ...duration(), error: String(reason) });
      throw reason;
    }
  };

  const clone = async (
    { calls = qemu, source, request, storages = [], isSourceLocked = false, signal }: CloneOperation,
    what: string,
  ) => {
    const { newid, target } = request;
    const load = { template: source.vmid, isSourceLocked, storages };
    const submit = () => calls.clone(source, request, { signal });
    // A lock can only be on the template or the storage: the new guest has no other user yet.
    const task = await logQueueWait(
      logger,
      what,
      (work) => limits.run(load, () => queue.run(newid, work, signal), signal),
      () => attempt(source, { what, submit, signal }),
    );
    const vm = { node: target ?? source.node, vmid: newid };
    const config = await stabilise(calls, vm, { limitMs: clones.stabiliseMs, logger, signal });
    return { vm, task: task as TaskResult, config };
  };

  return {
    run: (vm, operation) =>
      timed(operation.what, async () => {
        const { what, signal } = operation;
        const enqueue = (work: () => Promise<TaskResult | null>) => queue.run(vm.vmid, work, signal);
        return (await logQueueWait(logger, what, enqueue, () => attempt(vm, operation))) as never;
      }),

    write: (operation) => timed(operation.what, async () => (await attempt(null, operation)) as never),

    clone(operation) {
      const { what = `clone VM ${operation.source.vmid} to ${operation.request.newid}` } = operation;
      return timed(what, () => clone(operation, what));
    },
  };
}
