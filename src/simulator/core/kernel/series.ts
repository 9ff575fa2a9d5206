import { string } from "../schema/schema.ts";
import type { Simulation } from "./simulation.ts";

// `create_rrd_data` of pve-cluster `src/PVE/RRD.pm`: figures of nodes, guests and storages over time.

/** Seconds between two points of a statistics file and how many it keeps, by time frame. */
const frames = {
  hour: { step: 60, count: 60 },
  day: { step: 60, count: 1440 },
  week: { step: 1800, count: 336 },
  month: { step: 1800, count: 1440 },
  year: { step: 21_600, count: 1440 },
  decade: { step: 604_800, count: 570 },
} as const;

export const seriesParameters = {
  timeframe: string({ enum: ["hour", "day", "week", "month", "year"] }),
  cf: string({ optional: true, enum: ["AVERAGE", "MAX"] }),
};

/** The points of a time frame; only the newest has figures, since no history is kept. */
export function series(
  sim: Simulation,
  timeframe: keyof typeof frames,
  latest?: Readonly<Record<string, unknown>>,
): Record<string, unknown>[] {
  const { step, count } = frames[timeframe];
  const first = (Math.floor(sim.clock.now() / step) - count + 1) * step;
  // Recorded: the range starts one point later than requested and ends with the last full step.
  return Array.from({ length: count - 1 }, (_, index) => ({
    time: first + index * step,
    ...(index === count - 2 && latest),
  }));
}
