import type { RawConfig } from "#kit";

/** What tells one VM from another that has its VMID: PVE makes both new for every clone, and never `meta`'s. */
export interface Fingerprint {
  uuid: string | null;
  generation: string | null;
}

export function fingerprintOf(options: RawConfig): Fingerprint {
  const uuid = /(?:^|,)uuid=([0-9a-fA-F-]+)/.exec(String(options["smbios1"] ?? ""))?.[1] ?? null;
  const generation = options["vmgenid"] === undefined ? null : String(options["vmgenid"]);
  return { uuid: uuid?.toLowerCase() ?? null, generation };
}

/**
 * Whether this is the VM we know. One of the two is enough: a rollback renews the generation, an administrator may set
 * the uuid. A VM that has neither cannot be told from another, and is taken for the one it was.
 */
export function isSameVm(known: Fingerprint, seen: Fingerprint): boolean {
  const comparable = (["uuid", "generation"] as const).filter((part) => known[part] !== null && seen[part] !== null);
  return comparable.length === 0 || comparable.some((part) => known[part] === seen[part]);
}
