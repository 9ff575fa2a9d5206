import { AlreadyReported, type Logger } from "#framework";
import { type About, type Timing, withContext, workingOn } from "./work.ts";

/** What an operation has taken so far. */
interface Ledger {
  readonly startedAt: number;
  readonly timings: Timing[];
}

const ledgers = new WeakMap<object, Ledger>();

interface OperationOptions {
  /** `create`, `read`, `update`, `delete`, or what an action does. */
  readonly name: string;
  readonly about: About;
  readonly log: Logger;
  /** An operation that takes several hooks gives each the same. */
  readonly key: object;
  /** False: another hook finishes what this one began. */
  readonly isLast?: boolean;
}

/** Runs a hook and says in the end what the whole operation took, step by step. */
export function operation<T>(options: OperationOptions, work: (log: Logger) => Promise<T>): Promise<T> {
  const { name, about, log, key, isLast = true } = options;
  const ledger = ledgers.get(key) ?? { startedAt: performance.now(), timings: [] };
  ledgers.set(key, ledger);
  const { startedAt, timings } = ledger;
  return workingOn(
    about,
    async () => {
      const scoped = withContext(log);
      const ended = (outcome: "ok" | "failed") => ({
        event: "operation",
        operation: name,
        outcome,
        duration_ms: Math.round(performance.now() - startedAt),
        ...(timings.length > 0 && { steps: totals(timings) }),
      });
      try {
        const result = await work(scoped);
        // A plan reads everything there is; what it changes is news.
        if (isLast) scoped[name === "read" ? "debug" : "info"](`${name} is complete`, ended("ok"));
        return result;
      } catch (reason) {
        if (reason instanceof AlreadyReported) throw reason;
        scoped.error(`${name} has failed`, { ...ended("failed"), error: messageOf(reason) });
        throw reason;
      }
    },
    timings,
  );
}

/** Milliseconds by step; a step that was made several times counts once. */
function totals(timings: readonly Timing[]): Record<string, number> {
  const sums: Record<string, number> = {};
  for (const { step, ms } of timings) sums[step] = (sums[step] ?? 0) + Math.round(ms);
  return sums;
}

const messageOf = (reason: unknown): string => {
  const cause = reason instanceof Error && reason.cause instanceof Error ? reason.cause : reason;
  return cause instanceof Error ? cause.message : String(cause);
};
