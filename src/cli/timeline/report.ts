import { type Chart, chartOf } from "./chart.ts";
import { type Figures, figuresOf } from "./figures.ts";
import type { Run, Trace } from "./read-trace.ts";

/** The report on one run, in any format. */
export interface Report {
  readonly run: Run;
  /** The number of runs in the trace. */
  readonly runs: number;
  readonly chart: Chart;
  readonly figures: Figures;
}

export function reportOn(run: Run, { runs }: Trace): Report {
  const chart = chartOf(run);
  return { run, runs: runs.length, chart, figures: figuresOf(run, chart) };
}
