import { endpoint } from "../core/kernel/endpoint.ts";
import { die } from "../core/kernel/failure.ts";
import type { Simulation } from "../core/kernel/simulation.ts";
import { splitList } from "../core/schema/format.ts";
import { boolean, integer, string } from "../core/schema/schema.ts";
import { isDisabled, isOnNode } from "../storage/storages.ts";
import { storageUsage } from "../storage/usage.ts";

interface Metric {
  readonly id: string;
  readonly metric: string;
  readonly type: "gauge" | "derive";
  readonly value: number;
  readonly timestamp: number;
}

/** Counters, of which the rate is of interest; all other figures are levels. */
const counters = new Set(["net_in", "net_out", "disk_read", "disk_write"]);

function metricsOf(id: string, timestamp: number, values: Readonly<Record<string, unknown>>): Metric[] {
  return Object.entries(values).map(([metric, value]) => ({
    id,
    metric,
    type: counters.has(metric) ? "derive" : "gauge",
    value: Number(value ?? 0),
    timestamp,
  }));
}

function nodeMetrics({ statistics }: Simulation, name: string): Record<string, unknown> {
  const { uptime, cpu, maxcpu, mem, maxmem, disk, maxdisk } = statistics.ofNode(name) ?? {};
  return {
    uptime,
    ...{ net_in: 0, net_out: 0 },
    ...{ cpu_avg1: 0.12, cpu_avg5: 0.1, cpu_avg15: 0.09, cpu_max: maxcpu, cpu_current: cpu, cpu_iowait: 0 },
    ...{ mem_total: maxmem, mem_used: mem, swap_total: 0, swap_used: 0, disk_total: maxdisk, disk_used: disk },
  };
}

function guestMetrics(
  type: "qemu" | "lxc",
  figures: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const { status, cpu, mem, diskread, diskwrite, netin, netout, disk, uptime, maxcpu, maxmem, maxdisk } = figures;
  const whileRunning = {
    ...{ cpu_current: cpu, mem_used: mem },
    ...{ disk_read: diskread, disk_write: diskwrite, net_in: netin, net_out: netout },
    ...(type === "lxc" && { disk_used: disk }),
  };
  return {
    ...(status === "running" && whileRunning),
    ...{ uptime, cpu_max: maxcpu, mem_total: maxmem, disk_total: maxdisk },
  };
}

/**
 * The figures of the last statistics cycle of a node: the node, its guests, its storages (pve-manager
 * `PVE/PullMetric.pm`).
 */
function metricsOn(sim: Simulation, name: string): Metric[] {
  const { world, statistics } = sim;
  const cycle = world.cluster.behaviour.statisticsCycle;
  const now = Math.floor(Math.floor(sim.clock.now() / cycle) * cycle);
  const guests = Object.values(world.guests).filter(({ node }) => node === name);
  const storages = Object.values(world.storages).filter(
    (storage) => !isDisabled(storage) && isOnNode(storage, name) && storage.inactive !== true,
  );
  return [
    ...metricsOf(`node/${name}`, now, nodeMetrics(sim, name)),
    ...guests.flatMap(({ vmid, type }) => {
      const figures = statistics.ofGuest(vmid);
      return figures === undefined ? [] : metricsOf(`${type}/${vmid}`, now, guestMetrics(type, figures));
    }),
    ...storages.flatMap((storage) => {
      const { total, used } = storageUsage(world, storage, name);
      return metricsOf(`storage/${name}/${storage.storage}`, now, { disk_total: total, disk_used: used });
    }),
  ];
}

/** pve-manager `PVE/API2/Cluster/MetricServer.pm`: figures for monitoring systems. No history is kept. */
export const metricsExportEndpoints = [
  endpoint({
    method: "GET",
    path: "/cluster/metrics/export",
    permissions: { check: ["perm", "/", ["Sys.Audit"]] },
    parameters: {
      history: boolean({ optional: true, default: 0 }),
      "local-only": boolean({ optional: true, default: 0 }),
      "node-list": string({ optional: true }),
      "start-time": integer({ optional: true, default: 0 }),
    },
    handler: ({ sim, world, params }) => {
      const listed = splitList(params["node-list"] ?? "");
      const unknown = listed.filter((name) => world.nodes[name] === undefined);
      if (unknown.length > 0) {
        die(`Requested node-list contains unknown nodes - ${unknown.join(", ")}`);
      }
      const { local } = world.cluster;
      const wanted = Object.values(world.nodes).filter(({ name, online }) => {
        const isMeant = listed.length > 0 ? listed.includes(name) : params["local-only"] !== 1 || name === local;
        return isMeant && online;
      });
      const since = params["start-time"] ?? 0;
      return {
        data: wanted.flatMap(({ name }) => metricsOn(sim, name)).filter(({ timestamp }) => timestamp > since),
      };
    },
  }),
];
