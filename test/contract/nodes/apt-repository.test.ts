import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { attribute, ResourceBench } from "../resource-bench.ts";

let bench: ResourceBench;

beforeAll(async () => {
  bench = await ResourceBench.open();
});
beforeEach(async () => {
  for (const host of Object.values(bench.simulator.sim.world.nodes)) delete host.repositories;
  bench.simulator.faults.clear();
  await bench.configure();
});
afterAll(() => bench.close());

const repositories = () => bench.resource("proxmox_apt_repository");
const entries = () => bench.simulator.sim.world.nodes["pve1"]?.repositories ?? [];
const free = { node: "pve1", repository: "no-subscription" };

describe.each(["no-subscription", "enterprise", "test", "ceph-squid-no-subscription", "ceph-squid-enterprise"])(
  "the standard repository %s",
  (repository) => {
    test("is added, disabled, enabled, imported and disabled again at the end", async () => {
      let now = await repositories().create({ node: "pve1", repository });
      expect(attribute(now, "enabled")).toBe(true);
      now = await repositories().update(now, { node: "pve1", repository, enabled: false });
      expect(entries().at(-1)?.enabled).toBe(0);
      now = await repositories().update(now, { node: "pve1", repository, enabled: true });
      const imported = await repositories().import({ id: `pve1/${repository}` });
      expect(imported.state).toEqual(now.state);
      await repositories().destroy(now);
      expect(entries().at(-1)?.enabled).toBe(0);
    });
  },
);

test("one that is added disabled ends up disabled", async () => {
  const now = await repositories().create({ ...free, enabled: false });
  expect(attribute(now, "enabled")).toBe(false);
});

test("an entry of a file is switched, and put back as it was", async () => {
  const repository = "/etc/apt/sources.list#0";
  const now = await repositories().create({ node: "pve1", repository, enabled: false });
  expect(entries()[0]?.enabled).toBe(0);
  const imported = await repositories().import({ id: "pve1/etc/apt/sources.list#0" });
  expect(imported.state).toEqual(now.state);
  await repositories().destroy(now);
  expect(entries()[0]?.enabled).toBe(1);
});

test("it is changed though another client changes the file, and though an answer is lost", async () => {
  const now = await repositories().create(free);
  const call = "POST /nodes/{node}/apt/repositories";
  const reason = "detected modified configuration - file changed by other user? Try again.";
  bench.simulator.faults.order({ do: "answer", call, status: 500, reason });
  const off = await repositories().update(now, { ...free, enabled: false });
  bench.simulator.faults.order({ do: "answer", call, status: 596, after: 1 });
  await repositories().update(off, { ...free, enabled: true });
});

test.each([
  [
    "an unknown handle",
    { node: "pve1", repository: "no-subscribtion" },
    /no repository `no-subscribtion`.*no-subscription/s,
  ],
  ["a position that is not there", { node: "pve1", repository: "/etc/apt/sources.list#7" }, /no repository/],
  ["a text that is neither", { node: "pve1", repository: "Debian Main" }, /standard repository such as/],
  ["a node that is not there", { ...free, node: "pve9" }, /Node `pve9` does not exist/],
])("%s is refused in the plan", async (_, given, message) => {
  await expect(repositories().plan(null, given)).rejects.toThrow(message);
});

test("the privilege that the caller lacks is named", async () => {
  const { access } = bench.simulator.sim.world;
  access.acl = access.acl.filter(({ ugid }) => !ugid.startsWith("terraform@pve"));
  for (const [type, ugid] of [
    ["user", "terraform@pve"],
    ["token", "terraform@pve!tf"],
  ] as const) {
    access.acl.push({ path: "/", type, ugid, roleid: "PVEAuditor", propagate: true });
  }
  await bench.configure("terraform@pve!tf");
  await expect(repositories().plan(null, free)).rejects.toThrow("/nodes/pve1: Sys.Modify");
});
