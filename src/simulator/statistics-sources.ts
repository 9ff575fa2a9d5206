import type { StatisticsSources } from "./core/kernel/statistics.ts";
import { containerFigures } from "./lxc/read.ts";
import { nodeFigures } from "./nodes/figures.ts";
import { vmFigures } from "./qemu/figures.ts";

/** Who computes what pvestatd broadcasts about a guest of each kind, and about the node itself. */
export const statisticsSources: StatisticsSources = {
  qemu: vmFigures,
  lxc: containerFigures,
  node: nodeFigures,
};
