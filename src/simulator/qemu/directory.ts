import { endpoint } from "../kernel/endpoint.ts";
import { string } from "../schema/schema.ts";
import { node, vmid } from "../schema/standard-options.ts";
import { vmStatus } from "./status.ts";
import { findVm } from "./vm.ts";

const subdirectories = [
  ...["config", "cloudinit", "pending", "status", "unlink", "vncproxy", "termproxy", "migrate", "resize", "move"],
  ...["rrd", "rrddata", "monitor", "agent", "snapshot", "spiceproxy", "sendkey", "firewall", "mtunnel"],
  "remote_migrate",
];

/** Seconds between two points of a statistics file, by its time frame. */
const stepOf = { hour: 60, day: 1800, week: 10_800, month: 43_200, year: 604_800 } as const;
const points = 70;

export const directoryEndpoints = [
  endpoint({
    method: "GET",
    path: "/nodes/{node}/qemu/{vmid}",
    proxyTo: "node",
    permissions: { user: "all" },
    parameters: { node, vmid },
    handler: () => subdirectories.map((subdir) => ({ subdir })),
  }),
  endpoint({
    method: "GET",
    path: "/nodes/{node}/qemu/{vmid}/rrddata",
    protected: true,
    permissions: { check: ["perm", "/vms/{vmid}", ["VM.Audit"]] },
    parameters: {
      node,
      vmid,
      timeframe: string({ enum: ["hour", "day", "week", "month", "year"] }),
      cf: string({ optional: true, enum: ["AVERAGE", "MAX"] }),
    },
    handler: ({ sim, world, node: here, params: { vmid: id, timeframe } }) => {
      const guest = findVm(world, id, here);
      const step = stepOf[timeframe];
      const newest = Math.floor(sim.clock.now() / step) * step;
      return Array.from({ length: points }, (_, index) => ({
        time: newest - (points - 1 - index) * step,
        ...(guest !== undefined && index === points - 1 && figures(vmStatus(sim, guest))),
      }));
    },
  }),
];

function figures({ cpu, cpus, mem, maxmem, disk, maxdisk, netin, netout, memhost }: ReturnType<typeof vmStatus>) {
  return { cpu, maxcpu: cpus, mem, maxmem, disk, maxdisk, netin, netout, diskread: 0, diskwrite: 0, memhost };
}
