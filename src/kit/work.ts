import { AsyncLocalStorage } from "node:async_hooks";
import type { Logger } from "#framework";

/** What is being done to which object, as lines and traces name it. */
export interface About {
  /** `proxmox_vm` */
  readonly resource?: string;
  /** `VM "web-1"` */
  readonly label?: string;
  readonly vmid?: number;
  /** `clone` */
  readonly step?: string;
}

/** How long a step took. */
export interface Timing {
  readonly step: string;
  readonly ms: number;
}

interface Work {
  readonly about: About;
  /** Of the whole operation. */
  readonly timings: Timing[];
  /** The task that was spoken of last. */
  task?: unknown;
}

const current = new AsyncLocalStorage<Work>();

/** Does something that, with everything it calls, is about this; what surrounds it says the rest. */
export function workingOn<T>(about: About, work: () => T, timings?: Timing[]): T {
  const outer = current.getStore();
  return current.run({ about: { ...outer?.about, ...about }, timings: timings ?? outer?.timings ?? [] }, work);
}

/** The task that the current work has waited for, if any. */
export const currentTask = (): unknown => current.getStore()?.task;

/** Puts a step down in the accounts of the operation it belongs to. */
export const noteTiming = (timing: Timing): void => void current.getStore()?.timings.push(timing);

/**
 * A log whose lines say what they are about. The client below is shared by every operation in flight and cannot know
 * for whom it works.
 */
export function withContext(log: Logger): Logger {
  const line =
    (level: keyof Logger): Logger["info"] =>
    (message, fields) => {
      const work = current.getStore();
      if (work && fields && "task" in fields) work.task = fields.task;
      log[level](message, { ...work?.about, ...fields });
    };
  return { error: line("error"), warn: line("warn"), info: line("info"), debug: line("debug") };
}
