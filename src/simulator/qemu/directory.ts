import { indexEndpoint } from "../core/kernel/index-endpoint.ts";
import { node, vmid } from "../core/schema/standard-options.ts";
import { seriesEndpoint } from "../guests/series-endpoint.ts";
import { vmStatus } from "./status.ts";

const subdirectories = [
  ...["config", "cloudinit", "pending", "status", "unlink", "vncproxy", "termproxy", "migrate", "resize", "move"],
  ...["rrd", "rrddata", "monitor", "agent", "snapshot", "spiceproxy", "sendkey", "firewall", "mtunnel"],
  "remote_migrate",
];

export const directoryEndpoints = [
  indexEndpoint("/nodes/{node}/qemu/{vmid}", "subdir", subdirectories, { proxyTo: "node", parameters: { node, vmid } }),
  seriesEndpoint("qemu", (sim, guest) => figures(vmStatus(sim, guest))),
];

function figures({ cpu, cpus, mem, maxmem, disk, maxdisk, netin, netout, memhost }: ReturnType<typeof vmStatus>) {
  return { cpu, maxcpu: cpus, mem, maxmem, disk, maxdisk, netin, netout, diskread: 0, diskwrite: 0, memhost };
}
