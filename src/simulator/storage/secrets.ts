import { die } from "../core/kernel/failure.ts";
import type { Storage } from "../core/world/storage.ts";
import { pluginOf } from "./plugins.ts";

// Secrets of storages: `on_add_hook` and `on_update_hook` of pve-storage `src/PVE/Storage/*Plugin.pm`. They have files of their
// own; of a key for a Proxmox Backup Server the definition has the fingerprint.

/** The generated key: always the same one. */
const fingerprint = Array.from({ length: 2 }, () => "aa:bb:cc:dd:ee:ff:00:11:22:33:44:55:66:77:88:99").join(":");

function generateKey(seconds: number): string {
  const created = new Date(seconds * 1000).toISOString().replace(/\.\d+Z$/, "Z");
  const data = Buffer.alloc(32).toString("base64");
  return `${JSON.stringify({ kdf: null, created, modified: created, data, fingerprint })}\n`;
}

function fingerprintOf(key: string): string {
  let decoded: unknown;
  try {
    decoded = JSON.parse(key);
  } catch {
    decoded = undefined;
  }
  if (typeof decoded !== "object" || decoded === null || !("data" in decoded)) {
    die("Value does not seems like a valid, JSON formatted encryption key!");
  }
  return String((decoded as { fingerprint?: unknown }).fingerprint ?? 1);
}

/** ESXiPlugin.pm `on_add_hook`. */
export function requirePassword({ type }: Storage, { password }: Readonly<Record<string, string>>): void {
  if (type === "esxi" && password === undefined) {
    die("missing password");
  }
}

/** Stores the secrets of a request; returns the members of the answer's `config`, undefined for other types. */
export function applySecrets(
  storage: Storage,
  given: Readonly<Record<string, string>>,
  deleted: readonly string[],
  now: number,
): Record<string, string> | undefined {
  const { sensitive } = pluginOf(storage);
  const kept = Object.entries(storage.secrets ?? {}).filter(([name]) => !deleted.includes(name));
  const added = Object.entries(given).filter(([name]) => sensitive.includes(name));
  storage.secrets = Object.fromEntries([...kept, ...added]);
  if (storage.type !== "pbs") {
    return undefined;
  }
  const { options } = storage;
  const config: Record<string, string> = {};
  const { "encryption-key": encryption, "master-pubkey": master } = given;
  if (encryption !== undefined) {
    const key = encryption === "autogen" ? generateKey(now) : encryption;
    options["encryption-key"] = fingerprintOf(key);
    config["encryption-key"] = key;
  }
  if (master !== undefined) {
    options["master-pubkey"] = "1";
  }
  for (const name of ["encryption-key", "master-pubkey"].filter((secret) => deleted.includes(secret))) {
    delete options[name];
  }
  return config;
}
