import fc from "fast-check";
import type { Tree } from "./lines.ts";

export type Members = Record<string, fc.Arbitrary<unknown>>;

/** An object of which any member may be missing. */
export const some = (members: Members) =>
  fc.record(members, { requiredKeys: [], noNullPrototype: true }) as fc.Arbitrary<Tree>;
export const one = <T>(...values: T[]) => fc.constantFrom(...values);
export const rarely = <T>(arbitrary: fc.Arbitrary<T>, oneIn: number) =>
  fc.oneof({ weight: oneIn - 1, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary });
export const flag = fc.boolean();
export const int = (min: number, max: number) => fc.integer({ min, max });
export const word = fc.stringMatching(/^[a-z][a-z0-9]{0,7}$/);
export const label = fc.stringMatching(/^[A-Za-z0-9][A-Za-z0-9 ._-]{0,14}[A-Za-z0-9]$/);
export const octet = int(1, 254);
export const storage = one("local-lvm", "local-zfs", "nas", "ceph");

/** Addresses of a vendor, in either case. */
export function macs(prefix: string): fc.Arbitrary<string> {
  const mac = fc
    .array(int(0, 255), { minLength: 3, maxLength: 3 })
    .map((bytes) => `${prefix}:${bytes.map((byte) => byte.toString(16).padStart(2, "0")).join(":")}`);
  return fc.oneof(
    mac,
    mac.map((text) => text.toUpperCase()),
  );
}

/** An address for IPv4, or one of the words instead of it. */
export const addresses = (...words: string[]) =>
  fc.oneof(
    one(...words).map((address) => ({ address })),
    fc.tuple(octet, flag).map(([n, isRouted]) => ({
      address: `10.1.${n}.5/24`,
      ...(isRouted ? { gateway: `10.1.${n}.1` } : {}),
    })),
  );

export const addresses6 = (...words: string[]) =>
  fc.oneof(
    one(...words).map((address) => ({ address })),
    octet.map((n) => ({ address: `fd00:${n}::5/64`, gateway: `fd00:${n}::1` })),
  );

/** Settings of every guest. */
export const guestSettings = {
  description: fc.oneof(
    fc.constant(""),
    label,
    label.map((text) => `${text}\n\nand more: 100 %\n`),
  ),
  tags: fc.uniqueArray(fc.oneof(word, one("Prod", "a.b", "x_1")), {
    maxLength: 4,
    selector: (tag) => tag.toLowerCase(),
  }),
  on_boot: flag,
  startup: some({ order: int(0, 9), up_delay: int(0, 60), down_delay: int(0, 60) }),
};
export const ha = some({ max_restart: int(0, 5), failback: flag });

/** What a guest does, and where it is. */
export const life = some({
  power: one("running", "stopped", "unmanaged"),
  restart_policy: one("never", "when_needed"),
  shutdown: one({ timeout: "0s" }, { timeout: "90s" }, { timeout: "10s", force: true }),
});
export const place = one<Tree>(
  { node: "pve1" },
  { node: "pve2" },
  { node: "pve1", placement: "enforce" },
  { node: "pve2", placement: "enforce" },
  { placement: "follow" },
);

/** Without members that are not given. */
export const given = (config: Readonly<Record<string, unknown>>): Tree =>
  Object.fromEntries(Object.entries(config).filter(([, value]) => value !== undefined)) as Tree;

/** Volumes by slot, each with a storage or with what becomes of it when it leaves. */
export function furnished(config: Tree, map: string, first: string, more: { storage?: unknown; fate?: unknown }): Tree {
  const volumes = Object.entries((config[map] ?? {}) as Record<string, Tree>).map(([slot, volume]) => [
    slot,
    {
      ...volume,
      ...(slot === first && more.storage !== undefined ? { storage: more.storage } : {}),
      ...(more.fate === undefined || slot === first ? {} : { on_remove: more.fate }),
    },
  ]);
  return volumes.length === 0 ? config : { ...config, [map]: Object.fromEntries(volumes) };
}

/** The second configuration with no volume smaller than in the first: that alone is refused. */
export function neverSmaller(map: string, first: Tree, second: Tree): Tree {
  const before = (first[map] ?? {}) as Record<string, { size?: string }>;
  const after = (second[map] ?? {}) as Record<string, { size?: string }>;
  const volumes = Object.entries(after).map(([slot, volume]) => {
    const [least, wanted] = [before[slot]?.size, volume.size];
    const isSmaller =
      least !== undefined && wanted !== undefined && Number.parseInt(wanted, 10) < Number.parseInt(least, 10);
    return [slot, isSmaller ? { ...volume, size: least } : volume];
  });
  return volumes.length === 0 ? second : { ...second, [map]: Object.fromEntries(volumes) };
}
