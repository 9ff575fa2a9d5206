import type { Node } from "../core/world/node.ts";
import { checkFile } from "./interface-checks.ts";
import { formatInterfaces, type Interfaces } from "./interfaces-file.ts";
import { readInterfaces } from "./read-interfaces.ts";

/** The interfaces including staged changes, which are in a separate file until they are applied. */
export function staged(host: Node): Interfaces {
  return host.newInterfaces ?? host.interfaces;
}

/** Writes interfaces.new, unless the checks of the file fail; stores what can be read back. */
export function stage(host: Node, change: (interfaces: Interfaces) => void): null {
  const next = structuredClone(staged(host));
  change(next);
  for (const entry of Object.values(next)) {
    // An address that was deleted alone is restored from the CIDR notation.
    entry["address"] ??= entry["cidr"];
    entry["address6"] ??= entry["cidr6"];
  }
  checkFile(next, host);
  host.newInterfaces = readInterfaces(formatInterfaces(next), host.nics ?? []);
  return null;
}

/**
 * `ifreload -a` with the staged file. A node without its address on any interface is unreachable until it is repaired
 * from its console.
 */
export function applyInterfaces(host: Node): void {
  if (host.newInterfaces === undefined) {
    return;
  }
  const before = host.interfaces;
  host.interfaces = host.newInterfaces;
  host.hasOwnInterfacesFile = true;
  delete host.newInterfaces;
  if (hasAddress(before, host.address) && !hasAddress(host.interfaces, host.address)) {
    host.lostInterfaces = before;
    host.online = false;
    host.unreachable = "No route to host";
  }
}

/** Restores the previous file, as from the console. */
export function repairInterfaces(host: Node): void {
  if (host.lostInterfaces !== undefined) {
    host.interfaces = host.lostInterfaces;
    host.online = true;
    delete host.lostInterfaces;
    delete host.unreachable;
  }
}

function hasAddress(interfaces: Interfaces, address: string): boolean {
  return Object.values(interfaces).some((entry) => [entry["address"], entry["address6"]].includes(address));
}
