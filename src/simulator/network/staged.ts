import type { Node } from "../world/node.ts";
import type { Interfaces } from "./interfaces-file.ts";

/** The interfaces as they will be: changes wait in a file of their own until they are applied. */
export function staged(host: Node): Interfaces {
  return host.newInterfaces ?? host.interfaces;
}

/**
 * `ifreload -a` after the staged file took the place of the other one. A node whose address is on no interface any more is
 * cut off: nothing reaches it until somebody repairs it from its console.
 */
export function applyInterfaces(host: Node): void {
  const had = hasAddress(host.interfaces, host.address);
  host.interfaces = staged(host);
  delete host.newInterfaces;
  if (had && !hasAddress(host.interfaces, host.address)) {
    host.online = false;
    host.unreachable = "No route to host";
  }
}

function hasAddress(interfaces: Interfaces, address: string): boolean {
  return Object.values(interfaces).some((entry) => [entry["address"], entry["address6"]].includes(address));
}
