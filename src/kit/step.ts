import type { Logger } from "#framework";
import { currentTask, noteTiming, withContext, workingOn } from "./work.ts";

interface StepFields {
  readonly vmid?: number;
  /** Goes into the sentence: `cloned` … `from 9000`. */
  readonly detail?: string;
  readonly [name: string]: unknown;
}

/** What a step is called while it lasts and when it is done; any other is called by its name. */
const words: Readonly<Record<string, readonly [doing: string, done: string]>> = {
  agent: ["waiting for the guest agent", "asked the guest agent"],
  clone: ["cloning", "cloned"],
  "cloud-init": ["uploading cloud-init data", "uploaded cloud-init data"],
  config: ["configuring", "configured"],
  create: ["creating", "created"],
  destroy: ["destroying", "destroyed"],
  ha: ["arranging high availability", "arranged high availability"],
  migrate: ["migrating", "migrated"],
  move: ["moving", "moved"],
  resize: ["resizing", "resized"],
  restore: ["restoring", "restored"],
  snapshot: ["taking snapshot", "took snapshot"],
  start: ["starting", "started"],
  stop: ["stopping", "stopped"],
  template: ["making it a template", "made it a template"],
};

/** Runs one step of an operation, and says when it begins, how long it took, or how far it came. */
export function step<T>(log: Logger, name: string, given: StepFields, work: () => Promise<T>): Promise<T> {
  const { detail, vmid, ...fields } = given;
  const [doing, done] = words[name] ?? [name, `${name}: done`];
  const said = (verb: string) => (detail === undefined ? verb : `${verb} ${detail}`);
  return workingOn({ step: name, ...(vmid !== undefined && { vmid }) }, async () => {
    const scoped = withContext(log);
    const started = performance.now();
    const ended = (outcome: "ok" | "failed") => {
      const ms = performance.now() - started;
      noteTiming({ step: name, ms });
      const task = currentTask();
      return { ...fields, event: "step", outcome, duration_ms: Math.round(ms), ...(task !== undefined && { task }) };
    };
    scoped.info(said(doing), { ...fields, event: "begin" });
    try {
      const result = await work();
      scoped.info(said(done), ended("ok"));
      return result;
    } catch (reason) {
      const error = reason instanceof Error ? reason.message : String(reason);
      scoped.warn(`failed: ${said(doing)}`, { ...ended("failed"), error });
      throw reason;
    }
  });
}
