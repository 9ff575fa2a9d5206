import { vmFigures } from "./cluster/vm-figures.ts";
import type { FiguresOf } from "./kernel/statistics.ts";
import { containerFigures } from "./lxc/read.ts";
import type { Guest } from "./world/guest.ts";

/** Who computes what pvestatd broadcasts about a guest of each kind. */
export const statisticsSources: Readonly<Record<Guest["type"], FiguresOf>> = {
  qemu: vmFigures,
  lxc: containerFigures,
};
