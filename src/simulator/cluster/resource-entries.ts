import type { Caller } from "../access/caller.ts";
import { nodeFigures } from "../nodes/figures.ts";
import { contentTypes, isShared } from "../storage/storages.ts";
import type { Guest } from "../world/guest.ts";
import type { Node } from "../world/node.ts";
import type { Storage } from "../world/storage.ts";
import type { World } from "../world/world.ts";

/*
 * Entries of `/cluster/resources` and of pools (pve-manager `PVE/API2Tools.pm`). Existence, type and node come from the
 * cluster's file system and are always right; everything else is what the node last broadcast.
 */

/** `extract_vm_stats`. Before the first broadcast a guest is `unknown` and has neither name nor figures. */
export function guestResource(world: World, { type, vmid, node }: Guest): Record<string, unknown> {
  const { name, status, ...figures } = world.statistics.guests[vmid] ?? { status: "unknown" };
  return { id: `${type}/${vmid}`, type, vmid, node, status, ...(name !== undefined && { name }), ...figures };
}

/** `extract_storage_stats`. */
export function storageResource(world: World, storage: Storage, node: string): Record<string, unknown> {
  const figures = world.statistics.storages[`${node}/${storage.storage}`];
  return {
    id: `storage/${node}/${storage.storage}`,
    type: "storage",
    storage: storage.storage,
    node,
    plugintype: storage.type,
    shared: isShared(storage) ? 1 : 0,
    content: contentTypes(storage).join(","),
    status: figures === undefined ? "unknown" : "available",
    ...(figures !== undefined && { maxdisk: figures.total, disk: figures.used }),
  };
}

/** `extract_node_stats`: figures only for callers with `Sys.Audit` on the node. */
export function nodeResource(world: World, caller: Caller, node: Node, more: object = {}): Record<string, unknown> {
  const isVisible = caller.has(`/nodes/${node.name}`, ["Sys.Audit"]);
  const { uptime, cpu, mem, disk, maxcpu, maxmem, maxdisk } = nodeFigures(world, node);
  return {
    id: `node/${node.name}`,
    type: "node",
    node: node.name,
    status: node.online ? "online" : "offline",
    level: "",
    ...(isVisible && { maxcpu, maxmem, maxdisk }),
    ...(isVisible && node.online && { uptime, cpu, mem, disk }),
    ...more,
  };
}
