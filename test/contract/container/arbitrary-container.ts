import fc from "fast-check";
import { neverSmaller } from "../vm/arbitrary-vm.ts";
import type { Input } from "../vm/suite.ts";

type Members = Record<string, fc.Arbitrary<unknown>>;
type Given = Record<string, Input>;

/** An object of which any member may be missing. */
export const some = (members: Members) => fc.record(members, { requiredKeys: [], noNullPrototype: true });
export const one = <T>(...values: T[]) => fc.constantFrom(...values);
const flag = fc.boolean();
const int = (min: number, max: number) => fc.integer({ min, max });
const word = fc.stringMatching(/^[a-z][a-z0-9]{0,7}$/);
const label = fc.stringMatching(/^[A-Za-z0-9][A-Za-z0-9 ._-]{0,14}[A-Za-z0-9]$/);
const octet = int(1, 254);

const anyMount = {
  read_only: flag,
  replicate: flag,
  acl: flag,
  options: fc.uniqueArray(one("discard", "lazytime", "noatime", "nodev", "nosuid"), { maxLength: 3 }),
};

const newMount = (...paths: string[]) =>
  fc
    .tuple(
      one("local-lvm", "local-zfs", "nas", "ceph"),
      int(1, 8),
      one(...paths),
      some({
        ...anyMount,
        backup: flag,
        keep_attributes: flag,
        id_map: one(["u:0:1000:1", "g:0:1000:1"], ["passthrough"]),
      }),
    )
    .map(([storage, gib, path, settings]) => ({ storage, size: `${gib}G`, path, ...settings }));

const points = {
  mp0: newMount("/data", "/srv/data"),
  mp3: newMount("/var/lib/app"),
  mp12: newMount("/backup", "/mnt/backup"),
};
const size = int(10, 40).map((n) => `${n}G`);

const address = fc.oneof(
  one({ address: "dhcp" }, { address: "manual" }),
  fc.tuple(octet, flag).map(([n, isRouted]) => ({
    address: `10.1.${n}.5/24`,
    ...(isRouted ? { gateway: `10.1.${n}.1` } : {}),
  })),
);
const address6 = fc.oneof(
  one({ address: "auto" }, { address: "dhcp" }, { address: "manual" }),
  octet.map((n) => ({ address: `fd00:${n}::5/64`, gateway: `fd00:${n}::1` })),
);
const mac = fc
  .array(int(0, 255), { minLength: 3, maxLength: 3 })
  .map((bytes) => `bc:24:44:${bytes.map((byte) => byte.toString(16).padStart(2, "0")).join(":")}`);
const card = (...names: string[]) =>
  some({
    name: one(...names),
    bridge: one("vmbr0", "vmbr1"),
    vlan: int(0, 4094),
    trunks: fc.uniqueArray(one("10", "20", "30"), { maxLength: 2 }),
    mac: fc.oneof(
      mac,
      mac.map((text) => text.toUpperCase()),
    ),
    firewall: flag,
    link_down: flag,
    mtu: one(0, 1400, 1500),
    rate_limit: one(0, 1, 12.5),
    ipv4: address,
    ipv6: address6,
  });

const sometimes = {
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
  cpu: some({ cores: int(1, 8), limit: one(0, 1.5, 4), units: int(1, 10_000) }),
  memory: some({ size: one("64M", "512M", "1G", "2500M", "4G"), swap: one("0", "512M", "1G") }),
  dns: some({
    servers: fc.uniqueArray(
      octet.map((n) => `192.0.2.${n}`),
      { maxLength: 3 },
    ),
    search_domains: one([], ["example.com"], ["example.com", "example.org"]),
  }),
  console: some({ enabled: flag, mode: one("tty", "console", "shell"), ttys: int(0, 6) }),
  os_type: one("debian", "ubuntu", "alpine", "unmanaged"),
  timezone: one("host", "Europe/Vienna", "UTC"),
  debug: flag,
  features: some({ nesting: flag }),
  entrypoint: one("/sbin/init", "/bin/sh -c true"),
  env: one({}, { LANG: "C" }, { A: "1", B: "two words" }),
  networks: some({
    net0: card("eth0", "lan").map((one) => ({ bridge: "vmbr0", ...one })),
    net1: card("eth1", "dmz").map((one) => ({ bridge: "vmbr1", ...one })),
    net12: card("eth12").map((one) => ({ bridge: "vmbr0", ...one })),
  }),
  ha: some({ max_restart: int(0, 5), failback: flag }),
};

/** A configuration of a container that is cloned, which any cluster of the suite can carry out. */
export const clonedContainers = some({
  ...sometimes,
  mounts: some({ rootfs: some({ size, ...anyMount }), ...points }),
}) as fc.Arbitrary<Given>;

/** The same for one that is made from an image: it has to say where its root file system is. */
export const newContainers = fc
  .tuple(some(sometimes), fc.tuple(one("local-lvm", "local-zfs", "nas", "ceph"), size, some(anyMount)), some(points))
  .map(([config, [storage, gib, settings], more]) => ({
    ...config,
    mounts: { rootfs: { storage, size: gib, ...settings }, ...more },
  })) as fc.Arbitrary<Given>;

/** The second configuration with no volume smaller than in the first: that alone is refused. */
export function neverSmallerMounts(first: Given, second: Given): Given {
  if (second["mounts"] === undefined) return second;
  const { disks } = neverSmaller({ disks: first["mounts"] ?? {} }, { disks: second["mounts"] });
  return { ...second, mounts: disks ?? {} };
}
