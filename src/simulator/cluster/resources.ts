import type { Caller } from "../access/caller.ts";
import { serviceOf } from "../ha/services.ts";
import { endpoint } from "../kernel/endpoint.ts";
import { string } from "../schema/schema.ts";
import { zoneNames } from "../sdn/zones.ts";
import { isDisabled, isOnNode } from "../storage/storages.ts";
import type { Guest } from "../world/guest.ts";
import type { World } from "../world/world.ts";
import { guestResource, nodeResource, storageResource } from "./resource-entries.ts";

type Entry = Record<string, unknown>;

/** Pools, each with the sums over its running members. */
function pools(world: World, caller: Caller): Entry[] {
  return Object.entries(world.access.pools)
    .filter(([pool]) => caller.has(`/pool/${pool}`, ["Pool.Audit"]))
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([pool, { vms }]) => {
      const running = vms.flatMap((vmid) => world.statistics.guests[vmid] ?? []).filter(({ uptime }) => uptime > 0);
      const sum = (figure: (guest: (typeof running)[number]) => number) =>
        running.reduce((total, guest) => total + figure(guest), 0);
      const maxcpu = sum((guest) => guest.maxcpu);
      const sums = {
        uptime: Math.max(...running.map(({ uptime }) => uptime)),
        mem: sum(({ mem }) => mem),
        maxmem: sum(({ maxmem }) => maxmem),
        cpu: sum((guest) => guest.cpu * guest.maxcpu) / maxcpu,
        maxcpu,
      };
      return { id: `/pool/${pool}`, pool, type: "pool", ...(running.length > 0 && sums) };
    });
}

/** `lock`, `tags` and the pool are read from the cluster's files and never lag behind, unlike the rest. */
function guest(world: World, caller: Caller, entry: Guest): Entry {
  const { lock, tags } = entry.config;
  const pool = Object.entries(world.access.pools).find(([, { vms }]) => vms.includes(entry.vmid))?.[0];
  const sid = serviceOf(world, entry.vmid);
  const hastate = world.ha.services[sid]?.state ?? world.ha.resources[sid]?.options["state"];
  return {
    ...guestResource(world, entry),
    ...(pool !== undefined && caller.has(`/pool/${pool}`, ["Pool.Audit"]) && { pool }),
    ...(lock !== undefined && { lock }),
    ...(tags !== undefined && { tags }),
    ...(hastate !== undefined && { hastate }),
  };
}

function guests(world: World, caller: Caller): Entry[] {
  return Object.values(world.guests)
    .filter(({ vmid }) => caller.has(`/vms/${vmid}`, ["VM.Audit"]))
    .map((entry) => guest(world, caller, entry));
}

function storages(world: World, caller: Caller): Entry[] {
  return Object.values(world.storages)
    .filter(({ storage }) => caller.has(`/storage/${storage}`, ["Datastore.Audit"]))
    .flatMap((storage) =>
      Object.keys(world.nodes)
        .filter((node) => !isDisabled(storage) && isOnNode(storage, node))
        .map((node) => storageResource(world, storage, node)),
    );
}

function networks(world: World, caller: Caller): Entry[] {
  return zoneNames(world)
    .filter((zone) => caller.has(`/sdn/zones/${zone}`, ["SDN.Audit"]))
    .flatMap((zone) =>
      Object.keys(world.nodes).map((node) => ({
        id: `network/${node}/zone/${zone}`,
        type: "network",
        "network-type": "zone",
        network: zone,
        node,
        status: "ok",
        ...(zone !== "localnetwork" && { "zone-type": world.sdn.zones[zone]?.type }),
      })),
    );
}

/** pve-manager `PVE/API2/Cluster.pm`. Pools and networks have no filter of their own. */
export const resourceEndpoints = [
  endpoint({
    method: "GET",
    path: "/cluster/resources",
    permissions: { user: "all" },
    parameters: { type: string({ optional: true, enum: ["vm", "storage", "node", "sdn"] }) },
    handler: ({ params: { type }, world, caller }) => [
      ...(type === undefined ? pools(world, caller) : []),
      ...(type === undefined || type === "vm" ? guests(world, caller) : []),
      ...(type === undefined || type === "node"
        ? Object.values(world.nodes).map((node) => nodeResource(world, caller, node, { "cgroup-mode": 2 }))
        : []),
      ...(type === undefined || type === "storage" ? storages(world, caller) : []),
      ...(type === undefined ? networks(world, caller) : []),
    ],
  }),
];
