import { type Call as ApiCall, endpoint } from "../core/kernel/endpoint.ts";
import { guestResource, nodeResource } from "../core/kernel/resource-entries.ts";
import { string } from "../core/schema/schema.ts";
import type { Guest } from "../core/world/guest.ts";
import { serviceOf } from "../guests/ha.ts";
import { fabricStatuses, zoneStatuses } from "../sdn/status.ts";
import { localZone } from "../sdn/zones.ts";
import { isDisabled, isOnNode } from "../storage/storages.ts";
import { storageResource } from "../storage/usage.ts";

type Entry = Record<string, unknown>;
type Call = Pick<ApiCall, "sim" | "world" | "caller">;

/** Pools, each with the sums over its running members. */
function pools({ sim, world, caller }: Call): Entry[] {
  return Object.entries(world.access.pools)
    .filter(([pool]) => caller.has(`/pool/${pool}`, ["Pool.Audit"]))
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([pool, { vms }]) => {
      const running = vms
        .map((vmid) => sim.statistics.ofGuest(vmid) ?? {})
        .filter((guest) => Number(guest["uptime"] ?? 0) > 0);
      const values = (name: string) => running.map((guest) => Number(guest[name]));
      const sum = (numbers: number[]) => numbers.reduce((total, number) => total + number, 0);
      const maxcpu = sum(values("maxcpu"));
      const cpus = running.map((guest) => Number(guest["cpu"]) * Number(guest["maxcpu"]));
      const sums = {
        uptime: Math.max(...values("uptime")),
        mem: sum(values("mem")),
        maxmem: sum(values("maxmem")),
        cpu: sum(cpus) / maxcpu,
        maxcpu,
      };
      return { id: `/pool/${pool}`, pool, type: "pool", ...(running.length > 0 && sums) };
    });
}

/** `lock`, `tags` and the pool are read from the cluster's files and are always current, unlike the rest. */
function guest({ sim, world, caller }: Call, entry: Guest, pool: string | undefined): Entry {
  const { lock, tags } = entry.config;
  const sid = serviceOf(world, entry.vmid);
  const hastate = world.ha.services[sid]?.state ?? world.ha.resources[sid]?.options["state"];
  return {
    ...guestResource(sim, entry),
    ...(pool !== undefined && caller.has(`/pool/${pool}`, ["Pool.Audit"]) && { pool }),
    ...(lock !== undefined && { lock }),
    ...(tags !== undefined && { tags }),
    ...(hastate !== undefined && { hastate }),
  };
}

function guests(call: Call): Entry[] {
  const { world, caller } = call;
  const pools = new Map(
    Object.entries(world.access.pools).flatMap(([pool, { vms }]) => vms.map((vmid) => [vmid, pool])),
  );
  return Object.values(world.guests)
    .filter(({ vmid }) => caller.has(`/vms/${vmid}`, ["VM.Audit"]))
    .map((entry) => guest(call, entry, pools.get(entry.vmid)));
}

function storages({ sim, world, caller }: Call): Entry[] {
  return Object.values(world.storages)
    .filter(({ storage }) => caller.has(`/storage/${storage}`, ["Datastore.Audit"]))
    .flatMap((storage) =>
      Object.keys(world.nodes)
        .filter((node) => !isDisabled(storage) && isOnNode(storage, node))
        .map((node) => storageResource(sim, storage, node)),
    );
}

/**
 * The zone of the hosts' own bridges is always available; other zones, and fabrics, have the status that each node
 * reported.
 */
function networks({ world, caller }: Call): Entry[] {
  const entry = (node: string, kind: string, network: string, details: Entry) => ({
    id: `network/${node}/${kind}/${network}`,
    type: "network",
    "network-type": kind,
    network,
    node,
    ...details,
  });
  return Object.keys(world.nodes).flatMap((node) => [
    ...Object.entries({ [localZone]: "ok", ...zoneStatuses(world, node) })
      .filter(([zone]) => caller.has(`/sdn/zones/${zone}`, ["SDN.Audit"]))
      .map(([zone, status]) => {
        const type = world.sdn.running.zones[zone]?.type;
        return entry(node, "zone", zone, { status, ...(type !== undefined && { "zone-type": type }) });
      }),
    ...Object.entries(fabricStatuses(world, node))
      .filter(([fabric]) => caller.hasAny(`/sdn/fabrics/${fabric}`, ["SDN.Audit", "SDN.Allocate"]))
      .map(([fabric, details]) => entry(node, "fabric", fabric, details)),
  ]);
}

/** pve-manager `PVE/API2/Cluster.pm`. Pools and networks have no separate filter. */
export const resourceEndpoints = [
  endpoint({
    method: "GET",
    path: "/cluster/resources",
    permissions: { user: "all" },
    parameters: { type: string({ optional: true, enum: ["vm", "storage", "node", "sdn"] }) },
    handler: (call) => {
      const { type } = call.params;
      const nodes = Object.values(call.world.nodes);
      return [
        ...(type === undefined ? pools(call) : []),
        ...(type === undefined || type === "vm" ? guests(call) : []),
        ...(type === undefined || type === "node"
          ? nodes.map((node) => nodeResource(call.sim, call.caller, node, { "cgroup-mode": 2 }))
          : []),
        ...(type === undefined || type === "storage" ? storages(call) : []),
        ...(type === undefined ? networks(call) : []),
      ];
    },
  }),
];
