import { createSemaphore, type Semaphore } from "../semaphore.ts";
import type { CloneSettings } from "../settings.ts";

/** What a clone reads from and writes to. */
export interface CloneLoad {
  readonly template: number;
  /** A source that is locked exclusively can be cloned once at a time: a second clone fails within a second. */
  readonly isSourceLocked: boolean;
  readonly storages: readonly string[];
}

/**
 * How many clones run at a time. A linked clone holds the storage's lock throughout, and a call that waits longer than
 * ten seconds for it fails (qemu-server: src/PVE/API2/Qemu.pm, pve-storage: src/PVE/Storage.pm). Queueing here avoids
 * that at no cost.
 */
export interface CloneLimits {
  run<T>(load: CloneLoad, work: () => Promise<T>, signal?: AbortSignal): Promise<T>;
}

export function createCloneLimits({ perTemplate, perStorage }: CloneSettings): CloneLimits {
  const limits = new Map<string, Semaphore>();
  const limit = (key: string, size: number): Semaphore => {
    const semaphore = limits.get(key) ?? createSemaphore(size);
    limits.set(key, semaphore);
    return semaphore;
  };
  return {
    run({ template, isSourceLocked, storages }, work, signal) {
      const source = limit(`${isSourceLocked ? "locked" : "template"} ${template}`, isSourceLocked ? 1 : perTemplate);
      // Always in the same order; otherwise two clones could each hold what the other waits for.
      const targets = [...new Set(storages)].sort().map((storage) => limit(`storage ${storage}`, perStorage));
      const nested = [source, ...targets].reduceRight((inner, semaphore) => () => semaphore.run(inner, signal), work);
      return nested();
    },
  };
}
