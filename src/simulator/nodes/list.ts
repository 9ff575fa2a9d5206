import { createHash } from "node:crypto";
import { endpoint } from "../core/kernel/endpoint.ts";
import { indexEndpoint } from "../core/kernel/index-endpoint.ts";
import { nodeResource } from "../core/kernel/resource-entries.ts";
import { series, seriesParameters } from "../core/kernel/series.ts";
import type { Simulation } from "../core/kernel/simulation.ts";
import { string } from "../core/schema/schema.ts";
import { node } from "../core/schema/standard-options.ts";
import { getNode, type Node } from "../core/world/node.ts";
import { nodeFigures } from "./figures.ts";

/** A placeholder: stable, and different for each node. */
function fingerprint(name: string): string {
  const digest = createHash("sha256").update(`node ${name}`).digest("hex").toUpperCase();
  return (digest.match(/../g) ?? []).join(":");
}

const kernel = {
  sysname: "Linux",
  release: "6.17.2-1-pve",
  version: "#1 SMP PREEMPT_DYNAMIC PMX 6.17.2-1",
  machine: "x86_64",
};

/** `GET /nodes/{node}/status`: an idle host of the configured size. */
function hostStatus(sim: Simulation, host: Node): Record<string, unknown> {
  const { uptime, cpu, mem, disk, maxdisk } = nodeFigures(sim, host);
  const { version, repoid } = sim.world.version;
  return {
    uptime,
    idle: 0,
    cpu,
    wait: 0,
    loadavg: ["0.12", "0.10", "0.09"],
    kversion: `${kernel.sysname} ${kernel.release} ${kernel.version}`,
    "current-kernel": kernel,
    "boot-info": { mode: "legacy-bios" },
    cpuinfo: {
      sockets: 1,
      cores: host.cpus,
      cpus: host.cpus,
      mhz: "2300.000",
      user_hz: 100,
      vendor: "GenuineIntel",
      family: "6",
      model: "Intel(R) Xeon(R) Processor",
      flags: "fpu vme de pse tsc msr pae mce cx8 apic sep mtrr pge mca cmov pat aes vmx hypervisor",
      hvm: "1",
    },
    memory: { total: host.memory, used: mem, free: host.memory - mem, available: host.memory - mem },
    swap: { total: 0, used: 0, free: 0 },
    ksm: { shared: 0 },
    rootfs: { total: maxdisk, used: disk, free: maxdisk - disk, avail: maxdisk - disk },
    pveversion: `pve-manager/${version}/${repoid}`,
  };
}

/** The columns of a `pve-node-9.0` file (pve-cluster `src/pmxcfs/status.c`). */
function columns(sim: Simulation, host: Node): Record<string, number> {
  const { cpu, maxcpu, mem, maxmem, disk, maxdisk } = nodeFigures(sim, host);
  return {
    ...{ loadavg: 0.12, maxcpu, cpu, iowait: 0, netin: 0, netout: 0 },
    ...{ memtotal: maxmem, memused: mem, memavailable: maxmem - mem, arcsize: 0, swaptotal: 0, swapused: 0 },
    ...{ roottotal: maxdisk, rootused: disk },
    ...{ pressurecpusome: 0, pressureiosome: 0, pressureiofull: 0, pressurememorysome: 0, pressurememoryfull: 0 },
  };
}

const subdirectories = `aplinfo apt capabilities ceph certificates config disks dns firewall hardware hosts journal lxc
  migrateall netstat network qemu query-oci-repo-tags query-url-metadata replication report rrd rrddata scan sdn services
  spiceshell startall status stopall storage subscription suspendall syslog tasks termproxy time version vncshell vzdump
  wakeonlan`.split(/\s+/);

/** pve-manager `PVE/API2/Nodes.pm`: the list of nodes and their details. */
export const nodeListEndpoints = [
  endpoint({
    method: "GET",
    path: "/nodes",
    permissions: { user: "all" },
    parameters: {},
    handler: ({ sim, world, caller }) =>
      Object.values(world.nodes).map((host) =>
        nodeResource(sim, caller, host, { ssl_fingerprint: fingerprint(host.name) }),
      ),
  }),
  indexEndpoint("/nodes/{node}", "name", subdirectories),
  endpoint({
    method: "GET",
    path: "/nodes/{node}/version",
    proxyTo: "node",
    permissions: { user: "all" },
    parameters: { node },
    handler: ({ world }) => world.version,
  }),
  endpoint({
    method: "GET",
    path: "/nodes/{node}/status",
    proxyTo: "node",
    permissions: { check: ["perm", "/nodes/{node}", ["Sys.Audit"]] },
    parameters: { node },
    handler: ({ sim, world, node: here }) => hostStatus(sim, getNode(world, here)),
  }),
  endpoint({
    method: "GET",
    path: "/nodes/{node}/rrddata",
    protected: true,
    permissions: { check: ["perm", "/nodes/{node}", ["Sys.Audit"]] },
    // Only nodes support a decade.
    parameters: {
      node,
      ...seriesParameters,
      timeframe: string({ enum: ["hour", "day", "week", "month", "year", "decade"] }),
    },
    // Every node has the statistics of all nodes, so the call is not forwarded.
    handler: ({ sim, world, node: here, params }) => {
      const host = world.nodes[params.node === "localhost" ? here : params.node];
      return series(sim, params.timeframe, host && columns(sim, host));
    },
  }),
];
