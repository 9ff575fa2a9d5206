import type { Bar, Chart } from "./chart.ts";
import type { Run } from "./read-trace.ts";

/** Where the time of a run went. */
export interface Figures {
  /** From the first step to the end of the last. */
  readonly wallMs: number;
  readonly objects: number;
  readonly calls: number;
  readonly refusedCalls: number;
  readonly retries: number;
  readonly lockWaits: number;
  readonly lockWaitMs: number;
  readonly failures: number;
  readonly unfinished: number;
  readonly steps: readonly StepFigures[];
  readonly slowest: readonly (Bar & { readonly name: string; readonly vmid: number | undefined })[];
  readonly endpoints: readonly EndpointFigures[];
}

/** Durations of the same thing, in milliseconds. */
export interface Spread {
  readonly count: number;
  readonly total: number;
  readonly p50: number;
  readonly p95: number;
  readonly max: number;
}

export interface StepFigures extends Spread {
  readonly step: string;
  readonly failures: number;
  /** Share of the total duration of all steps. */
  readonly share: number;
}

export interface EndpointFigures extends Spread {
  readonly method: string;
  readonly path: string;
  /** Count by status; 0 without a response. */
  readonly statuses: Readonly<Record<number, number>>;
}

const slowestShown = 10;

export function figuresOf({ events }: Run, { rows, start, end }: Chart): Figures {
  const bars = rows.flatMap(({ name, vmid, bars: own }) => own.map((bar) => ({ ...bar, name, vmid })));
  const calls = events.filter(({ event }) => event === "call");
  const waits = events.filter(({ event }) => event === "lock_wait");
  const all = bars.reduce((sum, { ownMs }) => sum + ownMs, 0);
  return {
    wallMs: end - start,
    objects: rows.length,
    calls: calls.length,
    refusedCalls: calls.filter(({ status = 0 }) => status < 200 || status >= 300).length,
    retries: waits.length + events.filter(({ event }) => event === "retry").length,
    lockWaits: waits.length,
    lockWaitMs: waits.reduce((sum, { ms = 0 }) => sum + ms, 0),
    failures: bars.filter(({ outcome }) => outcome === "failed").length,
    unfinished: bars.filter(({ outcome }) => outcome === "unfinished").length,
    steps: [...Map.groupBy(bars, ({ step }) => step)]
      .map(([step, own]) => stepFigures(step, own, all))
      .sort((one, other) => other.total - one.total),
    slowest: [...bars].sort((one, other) => other.ownMs - one.ownMs).slice(0, slowestShown),
    endpoints: [...Map.groupBy(calls, ({ method = "?", path = "?" }) => `${method} ${path}`).values()]
      .map(endpointFigures)
      .sort((one, other) => other.total - one.total),
  };
}

function stepFigures(step: string, bars: readonly Bar[], all: number): StepFigures {
  const spread = spreadOf(bars.map(({ ownMs }) => ownMs));
  const failures = bars.filter(({ outcome }) => outcome === "failed").length;
  return { step, failures, share: all === 0 ? 0 : spread.total / all, ...spread };
}

function endpointFigures(calls: Run["events"]): EndpointFigures {
  const [first] = calls;
  const statuses: Record<number, number> = {};
  for (const { status = 0 } of calls) statuses[status] = (statuses[status] ?? 0) + 1;
  const spread = spreadOf(calls.map(({ ms = 0 }) => ms));
  return { method: first?.method ?? "?", path: first?.path ?? "?", statuses, ...spread };
}

function spreadOf(times: readonly number[]): Spread {
  const sorted = [...times].sort((one, other) => one - other);
  return {
    count: sorted.length,
    total: sorted.reduce((sum, ms) => sum + ms, 0),
    p50: quantile(sorted, 0.5),
    p95: quantile(sorted, 0.95),
    max: sorted.at(-1) ?? 0,
  };
}

/** The smallest duration that at least this share of all does not exceed: always a measured one. */
export function quantile(sorted: readonly number[], share: number): number {
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? 0;
}
