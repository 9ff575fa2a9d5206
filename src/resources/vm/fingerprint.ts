import type { RawConfig } from "#kit";
import type { Fingerprint } from "../guest/identity.ts";

/**
 * PVE generates both for every clone. `meta.ctime` is copied from the source and proves nothing. A rollback renews the
 * generation; an administrator can set the uuid.
 */
export function fingerprintOf(options: RawConfig): Fingerprint {
  const uuid = /(?:^|,)uuid=([0-9a-fA-F-]+)/.exec(String(options["smbios1"] ?? ""))?.[1] ?? null;
  const generation = options["vmgenid"] === undefined ? null : String(options["vmgenid"]);
  return { uuid: uuid?.toLowerCase() ?? null, generation };
}
