import { createHash } from "node:crypto";
import type { Process } from "../core/kernel/process.ts";
import { assertDigest } from "../core/sections/section-config.ts";
import { bare } from "../core/world/bare.ts";
import type { FirewallFile } from "../core/world/firewall.ts";
import type { World } from "../core/world/world.ts";
import { reread } from "./file-text.ts";

/** The key of a `.fw` file in the world. */
export type FirewallKey = "cluster" | `node/${string}` | `guest/${string}` | `vnet/${string}`;

const emptyFile = (): FirewallFile => bare({ options: {}, rules: [], aliases: {}, sets: {}, groups: {} });

/** A file that was never written is an empty one. */
export function readFirewall(world: World, key: FirewallKey): FirewallFile {
  return world.firewall[key] ?? emptyFile();
}

/** `save_*fw_conf`: stores what can be read back; without content there is no file. */
export function writeFirewall(world: World, key: FirewallKey, file: FirewallFile): void {
  const next = reread(file);
  if (JSON.stringify(next) === JSON.stringify(emptyFile())) {
    delete world.firewall[key];
  } else {
    world.firewall[key] = next;
  }
}

/** `lock_*fw_conf`: changes a file under its cluster-wide lock, and only as a whole. */
export async function changeFirewall(
  process: Process,
  key: FirewallKey,
  body: (file: FirewallFile) => void,
): Promise<null> {
  const { world } = process.sim;
  await process.lock({ kind: "cfs", id: `firewall-${key.replace("/", "-")}` }, {}, () => {
    const file = bare(structuredClone(readFirewall(world, key)));
    body(file);
    writeFirewall(world, key, file);
  });
  return null;
}

/** Copies the rules of a guest to its clone. */
export function copyGuestFirewall(world: World, source: number, target: number): void {
  const file = world.firewall[`guest/${source}`];
  if (file !== undefined) {
    world.firewall[`guest/${target}`] = structuredClone(file);
  }
}

export function removeGuestFirewall(world: World, vmid: number): void {
  delete world.firewall[`guest/${vmid}`];
}

/** `copy_list_with_digest`: each entry has the digest of the whole list. */
export function withDigest<T extends object>(list: readonly T[]): (T & { digest: string })[] {
  const digest = listDigest(list);
  return list.map((entry) => ({ ...entry, digest }));
}

/** Members that are not plain values, such as `errors`, do not count. */
export function listDigest(list: readonly object[]): string {
  const hash = createHash("sha1");
  for (const entry of list) {
    for (const [name, value] of Object.entries(entry).sort(([a], [b]) => (a < b ? -1 : 1))) {
      if (typeof value !== "object") {
        hash.update(`${name}:${value}\n`);
      }
    }
  }
  return hash.digest("hex");
}

export function assertListDigest(list: readonly object[], expected: string | undefined): void {
  assertDigest(listDigest(list), expected);
}
