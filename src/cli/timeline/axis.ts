/** A place on the time axis. */
export interface Tick {
  readonly ms: number;
  readonly label: string;
}

/** Round steps. */
const steps = [
  1, 2, 5, 10, 20, 50, 100, 200, 500, 1e3, 2e3, 5e3, 10e3, 15e3, 30e3, 60e3, 120e3, 300e3, 600e3, 1200e3, 3600e3,
];

const mostTicks = 9;

/** Ticks from 0 on, at round times, few enough to be legible. */
export function ticksOf(spanMs: number): Tick[] {
  const step =
    steps.find((candidate) => spanMs / candidate <= mostTicks) ?? Math.ceil(spanMs / mostTicks / 3600e3) * 3600e3;
  const count = Math.floor(spanMs / step) + 1;
  return Array.from({ length: count }, (_, index) => ({ ms: index * step, label: labelOf(index * step, step) }));
}

function labelOf(ms: number, step: number): string {
  if (step < 1_000) return `${ms} ms`;
  if (ms < 60_000) return `${ms / 1_000} s`;
  const minutes = Math.floor(ms / 60_000);
  const seconds = (ms % 60_000) / 1_000;
  return seconds === 0 ? `${minutes} min` : `${minutes}:${String(seconds).padStart(2, "0")}`;
}
