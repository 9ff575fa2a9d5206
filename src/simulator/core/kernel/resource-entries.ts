import type { Caller } from "../access/caller.ts";
import type { Guest } from "../world/guest.ts";
import type { Node } from "../world/node.ts";
import type { Simulation } from "./simulation.ts";

/*
 * Entries of `/cluster/resources` and of pools (pve-manager `PVE/API2Tools.pm`). Existence, type and node come from the
 * cluster's file system and are always current; everything else is from the node's last broadcast.
 */

/** `extract_vm_stats`. Before the first broadcast a guest is `unknown` and has neither name nor figures. */
export function guestResource(sim: Simulation, { type, vmid, node }: Guest): Record<string, unknown> {
  return { id: `${type}/${vmid}`, type, vmid, node, status: "unknown", ...sim.statistics.ofGuest(vmid) };
}

/**
 * `extract_node_stats`: figures only for callers with `Sys.Audit` on the node. A member of the cluster without a
 * broadcast for five minutes is `unknown` and has only its name: its pvestatd hangs, or it has just booted.
 */
export function nodeResource(sim: Simulation, caller: Caller, node: Node, more: object = {}): Record<string, unknown> {
  const isVisible = caller.has(`/nodes/${node.name}`, ["Sys.Audit"]);
  const heard = sim.statistics.ofNode(node.name);
  const { uptime, cpu, mem, disk, maxcpu, maxmem, maxdisk } = heard ?? {};
  return {
    id: `node/${node.name}`,
    type: "node",
    node: node.name,
    status: node.online ? (heard ? "online" : "unknown") : "offline",
    ...(heard && { level: "" }),
    ...(isVisible && heard && { maxcpu, maxmem, maxdisk }),
    ...(isVisible && heard && node.online && { uptime, cpu, mem, disk }),
    ...more,
  };
}
