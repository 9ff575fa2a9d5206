import type { Report } from "#kit";
import type { StorageType } from "./abilities.ts";

type Members = Readonly<Record<string, unknown>>;
type Reporter = Pick<Report, "error" | "warning">;

const isGiven = (value: unknown): boolean => value !== null && value !== undefined;

/** Members of one type that need each other: PVE refuses some of them late, and ignores the others without a word. */
export function validateMembers(type: StorageType, given: Members, report: Pick<Report, "error">): void {
  if (type === "pbs" && isGiven(given["master_public_key"]) && given["encryption_key"] === null) {
    const detail = "`master_public_key` encrypts a copy of `encryption_key`: give both.";
    report.error("pbs.master_public_key", "Encryption key needed", detail);
  }
  if (type === "cifs" && isGiven(given["password"]) && given["username"] === null) {
    const detail = "Without `username`, Proxmox VE ignores the password and mounts the share as a guest: give both.";
    report.error("cifs.password", "User name needed", detail);
  }
  if (type === "zfs" && given["provider"] === "LIO" && given["lio_target_portal_group"] === null) {
    const detail =
      'With `provider = "LIO"`, no volume can be made without the target portal group: give `lio_target_portal_group`, such as `tpg1`.';
    report.error("zfs.lio_target_portal_group", "Target portal group needed", detail);
  }
}

/** What PVE accepts for a new storage and then cannot use. */
export function warnOfMissing(type: StorageType, given: Members, report: Reporter): void {
  if (type === "cifs" && isGiven(given["username"]) && given["password"] === null) {
    const detail = "Without `password`, Proxmox VE ignores `username` and mounts the share as a guest.";
    report.warning("cifs.username", "User without a password", detail);
  }
  if ((type === "rbd" || type === "cephfs") && isGiven(given["monitors"]) && given["keyring"] === null) {
    const detail =
      "A Ceph cluster elsewhere usually asks for a key. Without `keyring`, the storage works only if that cluster does not, or if the nodes have a key for it already.";
    report.warning(`${type}.monitors`, "No keyring for these monitors", detail);
  }
}
