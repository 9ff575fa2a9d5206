import type { Simulation } from "../kernel/simulation.ts";
import { string } from "../schema/schema.ts";

// `create_rrd_data` of pve-cluster `src/PVE/RRD.pm`: figures of guests and storages over time.

/** Seconds between two points of a statistics file, by its time frame. */
const stepOf = { hour: 60, day: 1800, week: 10_800, month: 43_200, year: 604_800 } as const;
const points = 70;

export const seriesParameters = {
  timeframe: string({ enum: ["hour", "day", "week", "month", "year"] }),
  cf: string({ optional: true, enum: ["AVERAGE", "MAX"] }),
};

/** The points of a time frame; only the newest has figures, since nobody kept the older ones. */
export function series(
  sim: Simulation,
  timeframe: keyof typeof stepOf,
  latest?: Readonly<Record<string, unknown>>,
): Record<string, unknown>[] {
  const step = stepOf[timeframe];
  const newest = Math.floor(sim.clock.now() / step) * step;
  return Array.from({ length: points }, (_, index) => ({
    time: newest - (points - 1 - index) * step,
    ...(index === points - 1 && latest),
  }));
}
