/** Parts of a configuration that PVE generates for every new guest, by name; null where a guest has none. */
export type Fingerprint = { readonly [part: string]: string | null };

/**
 * Whether two fingerprints belong to the same guest. One equal part is enough, since a rollback or an administrator may
 * have changed another. Guests without a part to compare cannot be distinguished and count as the same.
 */
export function isSameGuest(known: Fingerprint, seen: Fingerprint): boolean {
  const comparable = Object.keys(known).filter((part) => known[part] !== null && (seen[part] ?? null) !== null);
  return comparable.length === 0 || comparable.some((part) => known[part] === seen[part]);
}
