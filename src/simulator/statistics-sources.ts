import { vmFigures } from "./cluster/vm-figures.ts";
import type { FiguresOf } from "./kernel/statistics.ts";
import type { Guest } from "./world/guest.ts";

const bare: FiguresOf = (_, guest) => ({
  name: guest.config["name"] ?? guest.config["hostname"] ?? `VM ${guest.vmid}`,
  status: guest.run === undefined ? "stopped" : "running",
});

/** Who computes what pvestatd broadcasts about a guest of each kind. */
export const statisticsSources: Readonly<Record<Guest["type"], FiguresOf>> = { qemu: vmFigures, lxc: bare };
