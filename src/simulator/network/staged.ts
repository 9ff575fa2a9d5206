import type { Node } from "../core/world/node.ts";
import { checkFile } from "./interface-checks.ts";
import { formatFile, type Interfaces, type InterfacesFile, installedFile } from "./interfaces-file.ts";
import { readFile } from "./read-interfaces.ts";
import { unifiedDiff } from "./unified-diff.ts";

/** The interfaces including staged changes, which are in a separate file until they are applied. */
export function staged(host: Node): Interfaces {
  return host.newInterfaces ?? host.interfaces;
}

/** The text of /etc/network/interfaces. */
function currentFile({ interfacesFile, interfaces }: Node): string {
  return interfacesFile ?? installedFile(interfaces);
}

/** interfaces.new without the names that no stanza has; undefined if nothing is staged. */
function stagedFile(host: Node): InterfacesFile | undefined {
  if (host.newInterfaces === undefined) {
    return undefined;
  }
  const written = Object.entries(host.newInterfaces).filter(([, { type }]) => type !== undefined);
  return {
    interfaces: Object.fromEntries(written.map(([name, entry]) => [name, { families: ["inet"], ...entry }])),
    lines: host.newInterfacesLines ?? readFile(currentFile(host), []).lines,
  };
}

/** Replaces the file from outside of PVE; nothing is staged then. */
export function replaceFile(host: Node, text: string): void {
  host.interfacesFile = text;
  host.interfaces = readFile(text, host.nics ?? []).interfaces;
  unstage(host);
}

export function unstage(host: Node): void {
  delete host.newInterfaces;
  delete host.newInterfacesLines;
}

/** Writes interfaces.new, unless the checks of the file fail; stores what can be read back. */
export function stage(host: Node, change: (interfaces: Interfaces) => void): null {
  const before = stagedFile(host);
  const next = readFile(before === undefined ? currentFile(host) : formatFile(before), host.nics ?? []);
  change(next.interfaces);
  for (const entry of Object.values(next.interfaces)) {
    // An address that was deleted alone is restored from the CIDR notation.
    entry["address"] ??= entry["cidr"];
    entry["address6"] ??= entry["cidr6"];
  }
  checkFile(next.interfaces, host);
  const { interfaces, lines } = readFile(formatFile(next), host.nics ?? []);
  host.newInterfaces = interfaces;
  host.newInterfacesLines = lines;
  return null;
}

/** The differences, as `diff -b -u` shows them: undefined without a staged file, and where it says the same. */
export function pendingChanges(host: Node): string | undefined {
  const next = stagedFile(host);
  return (
    next && unifiedDiff(currentFile(host), formatFile(next), ["/etc/network/interfaces", "/etc/network/interfaces.new"])
  );
}

/**
 * `ifreload -a` with the staged file. A node without its address on any interface is unreachable until it is repaired
 * from its console.
 */
export function applyInterfaces(host: Node): void {
  const next = stagedFile(host);
  if (next === undefined) {
    return;
  }
  const before = { interfaces: host.interfaces, text: currentFile(host) };
  host.interfacesFile = formatFile(next);
  host.interfaces = readFile(host.interfacesFile, host.nics ?? []).interfaces;
  unstage(host);
  if (hasAddress(before.interfaces, host.address) && !hasAddress(host.interfaces, host.address)) {
    host.lostInterfaces = before;
    host.online = false;
    host.unreachable = "No route to host";
  }
}

/** Restores the previous file, as from the console. */
export function repairInterfaces(host: Node): void {
  if (host.lostInterfaces !== undefined) {
    host.interfaces = host.lostInterfaces.interfaces;
    host.interfacesFile = host.lostInterfaces.text;
    host.online = true;
    delete host.lostInterfaces;
    delete host.unreachable;
  }
}

function hasAddress(interfaces: Interfaces, address: string): boolean {
  return Object.values(interfaces).some((entry) => [entry["address"], entry["address6"]].includes(address));
}
