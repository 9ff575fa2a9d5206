import { die } from "../core/kernel/failure.ts";
import type { Process } from "../core/kernel/process.ts";
import type { Guest } from "../core/world/guest.ts";

// Notes of backups are created from a template: pve-manager `PVE/VZDump.pm`.

/** Dies on unknown variables and escape sequences. */
export function checkNotesTemplate(template: string): void {
  if (template.includes("\n")) {
    die("contains a line feed");
  }
  const escapes = [...template.matchAll(/\\(.)/g)]
    .filter(([, char]) => char !== "n" && char !== "\\")
    .map((match) => `escape sequence '\\${match[1]}' at char ${match.index}`);
  const variables = [...template.matchAll(/\{\{([^\s{}]+)\}\}/g)]
    .filter(([, name]) => !/^(?:cluster|guestname|node|vmid)$/.test(name ?? ""))
    .map((match) => `variable '${match[1]}' at char ${match.index + 4}`);
  const problems = [...escapes, ...variables];
  if (problems.length > 0) {
    die(`found unknown: ${problems.join(", ")}`);
  }
}

export function generateNotes({ sim, node }: Process, { vmid, type, config }: Guest, template: string): string {
  const name = type === "qemu" ? config["name"] : (config["hostname"] ?? `CT${vmid}`);
  const values: Readonly<Record<string, string>> = {
    cluster: sim.world.cluster.name ?? "standalone node",
    guestname: name ?? `VM ${vmid}`,
    node,
    vmid: String(vmid),
  };
  return template
    .replaceAll(/\\(.)/g, (_, char: string) => (char === "n" ? "\n" : char))
    .replaceAll(/\{\{(cluster|guestname|node|vmid)\}\}/g, (_, key: string) => values[key] ?? "");
}
