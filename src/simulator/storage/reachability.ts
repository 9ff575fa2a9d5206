import { BlockList, isIP, isIPv4 } from "node:net";
import { die } from "../core/kernel/failure.ts";
import type { Storage } from "../core/world/storage.ts";
import type { World } from "../core/world/world.ts";
import { isDisabled, isOnNode } from "./storages.ts";

/** Addresses of the networks of a node. */
function attachedNetworks(world: World, node: string): BlockList {
  const networks = new BlockList();
  for (const options of Object.values(world.nodes[node]?.interfaces ?? {})) {
    for (const cidr of [options["cidr"], options["cidr6"]]) {
      const [address = "", prefix] = String(cidr ?? "").split("/");
      if (isIP(address) !== 0 && prefix !== undefined) {
        networks.addSubnet(address, Number(prefix), isIPv4(address) ? "ipv4" : "ipv6");
      }
    }
  }
  return networks;
}

/**
 * Whether a server answers. Hosts in other networks are simulated and answer; an address in the node's own network only
 * answers if it belongs to a node or to the server of a storage (otherwise `No route to host`).
 */
export function isReachable(world: World, node: string, host: string): boolean {
  if (isIP(host) === 0) {
    return true;
  }
  const isKnown =
    Object.values(world.nodes).some(({ address }) => address === host) ||
    Object.values(world.storages).some((storage) => !isDisabled(storage) && storage.options["server"] === host);
  return isKnown || !attachedNetworks(world, node).check(host, isIPv4(host) ? "ipv4" : "ipv6");
}

/** `activate_storage` of a new storage, the part about its server: pve-storage `src/PVE/Storage/*Plugin.pm`. */
export function checkServer(world: World, node: string, storage: Storage): void {
  const { storage: id, type, options } = storage;
  if (isDisabled(storage) || !isOnNode(storage, node)) {
    return;
  }
  if (type === "iscsi") {
    die(`connection check for storage '${id}' failed - error: no iscsi support - please install open-iscsi\n\n`);
  }
  const { server } = options;
  if (server === undefined || isReachable(world, node, server)) {
    return;
  }
  if (type === "nfs" || type === "cifs") {
    die(`storage '${id}' is not online`);
  }
  if (type === "pbs") {
    const port = options["port"] ?? "8007";
    die(`${id}: error fetching datastores - 500 Can't connect to ${server}:${port} (No route to host)`);
  }
}
