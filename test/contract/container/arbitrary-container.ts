import fc from "fast-check";
import {
  addresses,
  addresses6,
  flag,
  guestSettings,
  ha,
  int,
  macs,
  octet,
  one,
  some,
  storage,
} from "../transitions/arbitraries.ts";
import type { Tree } from "../transitions/lines.ts";

const anyMount = {
  read_only: flag,
  replicate: flag,
  acl: flag,
  options: fc.uniqueArray(one("discard", "lazytime", "noatime", "nodev", "nosuid"), { maxLength: 3 }),
};

const newMount = (...paths: string[]) =>
  fc
    .tuple(
      storage,
      int(1, 8),
      one(...paths),
      some({
        ...anyMount,
        backup: flag,
        keep_attributes: flag,
        id_map: one(["u:0:1000:1", "g:0:1000:1"], ["passthrough"]),
      }),
    )
    .map(([place, gib, path, settings]) => ({ storage: place, size: `${gib}G`, path, ...settings }));

const points = {
  mp0: newMount("/data", "/srv/data"),
  mp3: newMount("/var/lib/app"),
  mp12: newMount("/backup", "/mnt/backup"),
};
const size = int(10, 40).map((n) => `${n}G`);

const card = (...names: string[]) =>
  some({
    name: one(...names),
    bridge: one("vmbr0", "vmbr1"),
    vlan: int(0, 4094),
    trunks: fc.uniqueArray(one("10", "20", "30"), { maxLength: 2 }),
    mac: macs("bc:24:44"),
    firewall: flag,
    link_down: flag,
    mtu: one(0, 1400, 1500),
    rate_limit: one(0, 1, 12.5),
    ipv4: addresses("dhcp", "manual"),
    ipv6: addresses6("auto", "dhcp", "manual"),
  });

const sometimes = {
  ...guestSettings,
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
  ha,
};

/** A configuration of a container that is cloned, which any cluster of the suite can carry out. */
export const clonedContainers = some({
  ...sometimes,
  mounts: some({ rootfs: some({ size, ...anyMount }), ...points }),
}) as fc.Arbitrary<Tree>;

/** The same for one that is made from an image: it has to say where its root file system is. */
export const newContainers = fc
  .tuple(some(sometimes), fc.tuple(storage, size, some(anyMount)), some(points))
  .map(([config, [place, gib, settings], more]) => ({
    ...config,
    mounts: { rootfs: { storage: place, size: gib, ...settings }, ...more },
  })) as fc.Arbitrary<Tree>;
