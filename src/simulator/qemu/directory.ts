import { endpoint } from "../core/kernel/endpoint.ts";
import { series, seriesParameters } from "../core/kernel/series.ts";
import { node, vmid } from "../core/schema/standard-options.ts";
import { vmStatus } from "./status.ts";
import { findVm } from "./vm.ts";

const subdirectories = [
  ...["config", "cloudinit", "pending", "status", "unlink", "vncproxy", "termproxy", "migrate", "resize", "move"],
  ...["rrd", "rrddata", "monitor", "agent", "snapshot", "spiceproxy", "sendkey", "firewall", "mtunnel"],
  "remote_migrate",
];

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
    parameters: { node, vmid, ...seriesParameters },
    handler: ({ sim, world, node: here, params: { vmid: id, timeframe } }) => {
      const guest = findVm(world, id, here);
      return series(sim, timeframe, guest && figures(vmStatus(sim, guest)));
    },
  }),
];

function figures({ cpu, cpus, mem, maxmem, disk, maxdisk, netin, netout, memhost }: ReturnType<typeof vmStatus>) {
  return { cpu, maxcpu: cpus, mem, maxmem, disk, maxdisk, netin, netout, diskread: 0, diskwrite: 0, memhost };
}
