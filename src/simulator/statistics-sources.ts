import type { StatisticsSources } from "./core/kernel/statistics.ts";
import { containerFigures } from "./lxc/read.ts";
import { nodeFigures } from "./nodes/figures.ts";
import { vmFigures } from "./qemu/figures.ts";

/** The functions that compute what pvestatd broadcasts about each kind of guest, and about the node itself. */
export const statisticsSources: StatisticsSources = {
  qemu: vmFigures,
  lxc: containerFigures,
  node: nodeFigures,
};
