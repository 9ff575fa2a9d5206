import { die, failureText } from "../core/kernel/failure.ts";
import { splitList } from "../core/schema/format.ts";
import { storageIdFormat } from "../core/schema/formats.ts";

/** The mapping from source to target storages: `parse_idmap` of pve-common `src/PVE/JSONSchema.pm`. */
export interface StorageMap {
  readonly identity: boolean;
  readonly default?: string;
  readonly entries: Readonly<Record<string, string>>;
}

function verify(entry: string, ...ids: string[]): void {
  try {
    for (const id of ids) {
      storageIdFormat.verify(id);
    }
  } catch (thrown) {
    die(`entry '${entry}' contains invalid ID - ${failureText(thrown)}\n`);
  }
}

/** `1` keeps every storage, `<target>` replaces all unmapped ones, `<source>:<target>` replaces one. */
export function parseStorageMap(text: string): StorageMap {
  const list = splitList(text);
  const entries: Record<string, string> = {};
  const defaults: string[] = [];
  for (const entry of list.filter((candidate) => candidate !== "1")) {
    const [, source, target] = /^([^:]+):([^:]+)$/.exec(entry) ?? [];
    if (source === undefined || target === undefined) {
      verify(entry, entry);
      defaults.push(entry);
    } else {
      verify(entry, source, target);
      entries[source] = entries[source] === undefined ? target : die(`duplicate mapping for source '${source}'`);
    }
  }
  if (defaults.length > 1) {
    die("default target ID can only be provided once");
  }
  const [standard] = defaults;
  const identity = list.includes("1");
  if (identity && (standard !== undefined || Object.keys(entries).length > 0)) {
    die("identity mapping cannot be combined with other mappings");
  }
  return { identity, entries, ...(standard !== undefined && { default: standard }) };
}

export function mapStorage(map: StorageMap | undefined, source: string): string {
  return map?.entries[source] ?? map?.default ?? source;
}
