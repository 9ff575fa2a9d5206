import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Input } from "../../harness/index.ts";
import { ResourceBench } from "../resource-bench.ts";

let bench: ResourceBench;

beforeAll(async () => {
  bench = await ResourceBench.open();
});
afterAll(() => bench.close());

const storage = () => bench.resource("proxmox_storage");
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

test("what is fixed for life means a new storage", async () => {
  const now = await storage().create({ id: "share", nfs: { server: "nas.example.com", export: "/one" } });
  const plan = await storage().plan(now, { id: "share", nfs: { server: "nas.example.com", export: "/two" } });
  expect(plan.action).toBe("replace");
  await storage().destroy(now);
});

test("one that the caller may change but not audit is read by itself", async () => {
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
