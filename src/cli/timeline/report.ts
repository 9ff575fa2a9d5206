import { type Chart, chartOf } from "./chart.ts";
import { type Figures, figuresOf } from "./figures.ts";
import type { Run, Trace } from "./read-trace.ts";

/** What is told about one run, in whatever form. */
export interface Report {
  readonly run: Run;
  /** How many the trace holds. */
  readonly runs: number;
  readonly chart: Chart;
  readonly figures: Figures;
}

export function reportOn(run: Run, { runs }: Trace): Report {
  const chart = chartOf(run);
  return { run, runs: runs.length, chart, figures: figuresOf(run, chart) };
}
