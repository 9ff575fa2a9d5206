import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Input } from "../../harness/index.ts";
import { ResourceBench } from "../resource-bench.ts";

let bench: ResourceBench;

beforeAll(async () => {
  bench = await ResourceBench.open();
});
afterAll(() => bench.close());

const storage = () => bench.resource("proxmox_storage");
const pem = "-----BEGIN PUBLIC KEY-----\nMIIB\n-----END PUBLIC KEY-----\n";
const key = (name: string) => JSON.stringify({ data: name, fingerprint: `aa:${name}` });

describe("a storage that cannot be is refused in the plan", () => {
  test.each<[string, Record<string, Input>, string]>([
    [
      "content",
      { content: ["iso"], lvm: { volume_group: "vg-data" } },
      "cannot hold `iso`. It can hold `images`, `rootdir`",
    ],
    ["none and some", { content: ["iso", "none"], dir: { path: "/srv" } }, "give it alone"],
    ["prune of a volume group", { prune: { keep_last: 1 }, lvm: { volume_group: "vg-data" } }, "does not take `prune`"],
    [
      "limits of a backup server",
      { bandwidth_limits: { move: 1 }, esxi: { server: "a", username: "b", password: "c" } },
      "does not take `bandwidth_limits`",
    ],
    ["a retention of nothing", { prune: { keep_last: 0 }, dir: { path: "/srv" } }, "Nothing to keep"],
    ["all and some", { prune: { keep_all: true, keep_last: 1 }, dir: { path: "/srv" } }, "All and some"],
    ["a relative export", { nfs: { server: "nas.example.com", export: "volume1" } }, "an absolute path"],
    [
      "a key that would be made up",
      { pbs: { server: "pbs", datastore: "main", encryption_key: "autogen" } },
      "the JSON text of a key",
    ],
    [
      "a master key alone",
      { pbs: { server: "pbs", datastore: "main", master_public_key: pem } },
      "Encryption key needed",
    ],
    [
      "a password without a user",
      { cifs: { server: "nas.example.com", share: "vms", password: "secret" } },
      "mounts the share as a guest: give both",
    ],
    [
      "LIO without its portal group",
      {
        zfs: {
          portal: "10.9.9.9",
          target: "iqn.2003-01.org.example:x",
          pool: "tank",
          block_size: "4k",
          provider: "LIO",
        },
      },
      "give `lio_target_portal_group`",
    ],
    ["a block size that is no power of two", { zfspool: { pool: "tank", block_size: "12k" } }, "a power of two"],
    ["a block size that is too large", { zfspool: { pool: "tank", block_size: "32m" } }, "a power of two"],
    ["a mount point that is not absolute", { zfspool: { pool: "tank", mount_point: "tank" } }, "an absolute path"],
    ["a node that does not exist", { nodes: ["pve9"], dir: { path: "/srv" } }, "pve9"],
  ])("%s", async (_, config, message) => {
    await expect(storage().plan(null, { id: "data", ...config })).rejects.toThrow(message);
  });

  test("`local` cannot be destroyed", async () => {
    const now = await storage().import({ id: "local" });
    await expect(storage().destroy(now)).rejects.toThrow("always has the storage `local`");
  });
});

test("secrets are sent at creation and when their version changes, and never stored", async () => {
  const config = (name: string, version: number, port = 8007) => ({
    id: "vault",
    pbs: {
      server: "pbs.example.com",
      datastore: "main",
      port,
      encryption_key: key(name),
      encryption_key_version: version,
    },
  });
  const stored = () => bench.simulator.sim.world.storages["vault"]?.options["encryption-key"];
  let now = await storage().create(config("one", 1));
  expect(stored()).toBe("aa:one");
  now = await storage().update(now, config("two", 1, 443));
  expect(stored(), "another key of the same version").toBe("aa:one");
  now = await storage().update(now, config("two", 2, 443));
  expect(stored()).toBe("aa:two");
  expect(JSON.stringify(now.state)).toContain("aa:two");
  expect(JSON.stringify(now.state)).not.toContain('"data"');
  await storage().destroy(now);
});

const monitors = ["10.0.0.1"];

test.each<[string, string, (secret: string, version: number) => Record<string, Input>]>([
  [
    "password",
    "password",
    (password, password_version) => ({
      cifs: { server: "nas.example.com", share: "vms", username: "ann", password, password_version },
    }),
  ],
  [
    "password",
    "password",
    (password, password_version) => ({
      pbs: { server: "pbs.example.com", datastore: "main", username: "ann@pbs", password, password_version },
    }),
  ],
  [
    "password",
    "password",
    (password, password_version) => ({
      esxi: { server: "esxi.example.com", username: "root", password, password_version },
    }),
  ],
  ["keyring", "keyring", (keyring, keyring_version) => ({ rbd: { monitors, keyring, keyring_version } })],
  ["keyring", "keyring", (keyring, keyring_version) => ({ cephfs: { monitors, keyring, keyring_version } })],
  [
    "master_public_key",
    "master-pubkey",
    (name, master_public_key_version) => ({
      pbs: {
        server: "pbs.example.com",
        datastore: "main",
        encryption_key: key("one"),
        master_public_key: pem.replace("MIIB", name),
        master_public_key_version,
      },
    }),
  ],
])("%s is sent with each new version, and only then (%#)", async (_, option, typed) => {
  const config = (secret: string, version: number) => ({ id: "secretive", ...typed(secret, version) });
  const decode = (text = "") => (option === "master-pubkey" ? Buffer.from(text, "base64").toString() : text);
  const stored = () => decode(bench.simulator.sim.world.storages["secretive"]?.secrets?.[option]);
  let now = await storage().create(config("firstsecret", 1));
  expect(stored()).toContain("firstsecret");
  now = await storage().update(now, config("othersecret", 1));
  expect(stored(), "another secret of the same version").toContain("firstsecret");
  now = await storage().update(now, config("othersecret", 2));
  expect(stored()).toContain("othersecret");
  expect(JSON.stringify(now.state)).not.toMatch(/(first|other)secret/);
  await storage().destroy(now);
});

test.each<[string, Record<string, Input>, string]>([
  ["a user without a password", { cifs: { server: "nas.example.com", share: "vms", username: "ann" } }, "as a guest"],
  ["monitors without a keyring", { rbd: { monitors } }, "usually asks for a key"],
])("%s is warned of when the storage is created", async (_, config, message) => {
  await bench.configure();
  const { warnings } = await storage().plan(null, { id: "data", ...config });
  expect(warnings.map(({ detail }) => detail).join()).toContain(message);
});

test.each<[string, Record<string, Input>, Record<string, Input>]>([
  [
    "nfs.export",
    { nfs: { server: "nas.example.com", export: "/one" } },
    { nfs: { server: "nas.example.com", export: "/two" } },
  ],
  ["dir.path", { dir: { path: "/srv/one" } }, { dir: { path: "/srv/two" } }],
  [
    "dir.snapshot_as_volume_chain",
    { dir: { path: "/srv" } },
    { dir: { path: "/srv", snapshot_as_volume_chain: true } },
  ],
  ["zfspool.pool", { zfspool: { pool: "tank" } }, { zfspool: { pool: "rpool" } }],
  [
    "lvmthin.thin_pool",
    { lvmthin: { volume_group: "pve", thin_pool: "data" } },
    { lvmthin: { volume_group: "pve", thin_pool: "more" } },
  ],
])("%s is fixed for life: the plan says why there is a new definition", async (path, before, after) => {
  const now = await storage().create({ id: "share", ...before });
  const { action, warnings } = await storage().plan(now, { id: "share", ...after });
  expect(action).toBe("replace");
  const [warning] = warnings;
  expect(warning).toMatchObject({ summary: `${path} forces replacement` });
  expect(warning?.detail).toContain("The data stays where it is");
  await storage().destroy(now);
});

test("another type is another storage", async () => {
  const now = await storage().create({ id: "share", dir: { path: "/srv/share" } });
  const { warnings } = await storage().plan(now, { id: "share", btrfs: { path: "/srv/share" } });
  expect(warnings.map(({ detail }) => detail).join()).toContain("of type `dir` cannot become one of type `btrfs`");
  await storage().destroy(now);
});

test("a key that only the nodes have is not lost with a new definition, and its removal is shown", async () => {
  const pbs = { server: "pbs.example.com", datastore: "main" };
  const now = await storage().create({ id: "vault", pbs: { ...pbs, encryption_key: key("only") } });
  const elsewhere = { ...pbs, datastore: "other" };
  await expect(storage().plan(now, { id: "vault", pbs: elsewhere })).rejects.toThrow("Encryption key would be lost");
  const plan = await storage().plan(now, { id: "vault", pbs: { ...elsewhere, encryption_key: key("only") } });
  expect(plan.action).toBe("replace");
  await bench.configure();
  const { warnings } = await storage().planDestroy(now);
  expect(warnings.map(({ summary }) => summary)).toEqual(["Encryption key is removed"]);
  await storage().destroy(now);
});

test("the plan that removes a storage names the guests that use it", async () => {
  const now = await storage().create({ id: "used", content: ["images"], dir: { path: "/srv/used" } });
  const volume = { node: "pve2", content: "images", format: "raw", size: 1024, ctime: 0 } as const;
  const { volumes, guests } = bench.simulator.sim.world;
  volumes.push({ ...volume, volid: "used:9000/vm-9000-disk-0.raw", vmid: 9000 });
  // Another storage has the same path: its volumes are listed, too. And a volume is left of a guest that is gone.
  volumes.push({ ...volume, volid: "used:9001/vm-9001-disk-0.raw", vmid: 9001 });
  volumes.push({ ...volume, volid: "used:8999/vm-8999-disk-0.raw", vmid: 8999 });
  const { config } = guests[9000] ?? expect.fail();
  config["scsi9"] = "used:9000/vm-9000-disk-0.raw,size=1K";
  await bench.configure();
  const { warnings } = await storage().planDestroy(now);
  expect(warnings[0]).toMatchObject({
    summary: "Guests use the storage",
    detail: expect.stringMatching(/guest `9000`\. /),
  });
  await bench.configure();
  const plan = await storage().plan(now, { id: "used", content: ["images"], dir: { path: "/srv/elsewhere" } });
  expect(plan.warnings.map(({ summary }) => summary)).toContain("Guests use the storage");
  delete config["scsi9"];
  await storage().destroy(now);
});

test("a pool is mounted where the configuration says, and again where ZFS says", async () => {
  const mountpoint = () => bench.simulator.sim.world.storages["tank"]?.options["mountpoint"];
  let now = await storage().create({ id: "tank", zfspool: { pool: "tank", mount_point: "/mnt/tank" } });
  expect(mountpoint()).toBe("/mnt/tank");
  now = await storage().update(now, { id: "tank", zfspool: { pool: "tank", mount_point: "/mnt/other" } });
  expect(mountpoint()).toBe("/mnt/other");
  await storage().destroy(now);
});

test("one that the caller may change but not audit is read alone", async () => {
  const now = await storage().create({ id: "hidden", dir: { path: "/srv/hidden" } });
  const { access } = bench.simulator.sim.world;
  access.roles["Allocate"] = ["Datastore.Allocate"] as (typeof access.roles)[string];
  for (const [type, ugid] of [
    ["user", "terraform@pve"],
    ["token", "terraform@pve!tf"],
  ] as const) {
    access.acl = access.acl.filter((entry) => entry.ugid !== ugid);
    access.acl.push({ path: "/storage", type, ugid, roleid: "Allocate", propagate: true });
  }
  await bench.configure("terraform@pve!tf");
  expect(await storage().find(now)).not.toBeNull();
  await bench.configure();
  await storage().destroy(now);
});
