/** PVE's `configid`, without the two names that PVE itself uses (pve-guest-common: src/PVE/AbstractConfig.pm). */
export function checkSnapshotName(name: string): string | undefined {
  if (!/^[A-Za-z][A-Za-z0-9_-]+$/.test(name) || name.length > 40) {
    return "Must be 2 to 40 letters, digits, `_` and `-`, beginning with a letter.";
  }
  return name === "current" || name === "pending" ? "Must not be `current` or `pending`." : undefined;
}
