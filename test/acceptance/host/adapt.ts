import type { Choice, HostSettings } from "./settings.ts";

/** A configuration for another cluster: the same text with other names, and a file that overrides what identifies objects. */
export interface Adapted {
  readonly main: string;
  readonly override: string;
}

/** What names of the simulated cluster stand for in examples and tests. */
const standsFor: Readonly<Record<string, Choice>> = {
  pve1: "node",
  "local-lvm": "storage",
  "local-zfs": "storage",
  ceph: "storage",
  local: "files",
  nas: "files",
  vmbr0: "bridge",
  "ubuntu-24.04-cloud": "template",
  "debian-13-cloud": "template",
  "local:import/debian-13.qcow2": "image",
  "local:iso/talos-amd64.iso": "iso",
};

/** Pools of the examples, which become pools inside that of the tests. */
const pools = ["prod", "shared"];

/** The networks of the examples become those that are reserved for documentation: no machine has such an address. */
const addresses = /\b10\.0\.(\d+)\./g;

/** `first`: the VMID from which the instances of a resource are numbered. */
export function adapt(
  hcl: string,
  found: Readonly<Partial<Record<Choice, string>>>,
  { pool, prefix }: Pick<HostSettings, "pool" | "prefix">,
  first: (address: string) => number,
): Adapted {
  const names = new Map<string, string>(pools.map((name) => [name, `${pool}/${prefix}${name}`]));
  for (const [name, choice] of Object.entries(standsFor)) names.set(name, found[choice] ?? name);
  const main = withTemplateFile(hcl, found.container_template)
    // Not the labels of blocks.
    .replaceAll(/(?<!^ *\w+ "\w+" *|^ *\w+ *)"([^"\n$]+)"/gm, (quoted, name: string) =>
      names.has(name) ? JSON.stringify(names.get(name)) : quoted,
    )
    .replaceAll(addresses, "192.0.2.");
  const blocks = [...main.matchAll(/^( *)resource "(proxmox_\w+)" "(\w+)" \{\n([\s\S]*?)^\1\}/gm)];
  const overrides = blocks.flatMap(([, indent = "", type = "", label = "", body = ""]) => {
    const value = (name: string) => new RegExp(`^${indent}  ${name} *= (.+)$`, "m").exec(body)?.[1];
    const lines = overridesOf({ type, label, value, pool, prefix, first });
    return lines.length === 0
      ? []
      : [`resource "${type}" "${label}" {\n${lines.map((line) => `  ${line}\n`).join("")}}\n`];
  });
  return { main, override: overrides.join("\n") };
}

/** Containers are made from a file that the host has, since a download would replace one of its files. */
function withTemplateFile(hcl: string, volume: string | undefined): string {
  if (volume === undefined) return hcl;
  return hcl
    .replaceAll(/^resource "proxmox_container_template" "\w+" \{\n[\s\S]*?^\}\n/gm, "")
    .replaceAll(/proxmox_container_template\.\w+\.volume_id/g, JSON.stringify(volume));
}

interface Block {
  readonly type: string;
  readonly label: string;
  /** The expression of an argument. */
  readonly value: (name: string) => string | undefined;
  readonly pool: string;
  readonly prefix: string;
  readonly first: (address: string) => number;
}

function overridesOf({ type, label, value, pool, prefix, first }: Block): string[] {
  const named = (expression: string) => `name = "${prefix}\${${expression}}"`;
  const name = value("name");
  if (type === "proxmox_disk" && name) return [named(name)];
  if (type === "proxmox_file") return [named(name ?? `basename(${value("source") ?? `"${label}"`})`)];
  if (type !== "proxmox_vm" && type !== "proxmox_container") return [];
  return [...(name ? [named(name)] : []), `vmid = ${vmidOf(first(`${type}.${label}`), value)}`, `pool = "${pool}"`];
}

function vmidOf(first: number, value: Block["value"]): string {
  if (value("count")) return `${first} + count.index`;
  const keys = value("for_each");
  return keys ? `${first} + index(keys(${keys}), each.key)` : String(first);
}
