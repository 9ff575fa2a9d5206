import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { parseEndpoint } from "#pve";
import { clusterOf, defaultFolder } from "../../../src/kit/notes-folder.ts";
import type { Session } from "../../../src/kit/session.ts";
import type { Input, Instance, Plan } from "../../harness/index.ts";
import { attribute, ResourceBench } from "../resource-bench.ts";

let bench: ResourceBench;

beforeAll(async () => {
  bench = await ResourceBench.open({ env: { PROXMOX_VE_LOCK_WAITS: "10ms,20ms,40ms,80ms" } });
});
beforeEach(async () => {
  bench.simulator.faults.clear();
  const { sdn, nodes } = world();
  const none = { zones: {}, vnets: {}, subnets: {}, controllers: {}, fabrics: {}, prefixLists: {}, routeMaps: {} };
  Object.assign(sdn, structuredClone(none));
  sdn.running = { version: 1, ...structuredClone(none) };
  delete sdn.lockToken;
  for (const node of Object.values(nodes)) {
    node.online = true;
    delete node.newInterfaces;
  }
  await bench.configure();
});
afterAll(() => bench.close());

const world = () => bench.simulator.sim.world;
const zone = () => bench.resource("proxmox_sdn_zone");
const vnet = () => bench.resource("proxmox_sdn_vnet");
const subnet = () => bench.resource("proxmox_sdn_subnet");
const commits = () => world().tasks.filter(({ type }) => type === "reloadnetworkall").length;
const site = { id: "site", vlan: { bridge: "vmbr0" } };
const net = (n: number): Record<string, Input> => ({ id: `net${n}`, zone: "site", tag: 100 + n });

/** One run of Terraform: all plans, then the applies in another session, in groups that begin together. */
async function apply(groups: (() => Promise<{ plan: Plan; go: (plan: Plan) => Promise<Instance> }>)[][]) {
  const planned = [];
  for (const group of groups) planned.push(await Promise.all(group.map((plan) => plan())));
  await bench.configure();
  const results: Instance[][] = [];
  for (const group of planned) results.push(await Promise.all(group.map(({ plan, go }) => go(plan))));
  return results;
}

const created = (resource: () => ReturnType<typeof zone>, config: Input) => async () => ({
  plan: await resource().plan(null, config),
  go: (plan: Plan) => resource().apply(plan),
});

/** Removes the notes about this cluster; other tests have theirs in the same folder. */
function forgetNotes(): void {
  const settings = { endpoints: [parseEndpoint(bench.simulator.url)] };
  const cluster = clusterOf({ settings, identity: "root@pam!admin" } as unknown as Session);
  const names = readdirSync(defaultFolder()).filter((name) => name.includes(cluster));
  expect(names).not.toEqual([]);
  for (const name of names) rmSync(join(defaultFolder(), name), { force: true });
}

describe("one commit", () => {
  test("serves a zone, twenty vnets and their subnets", async () => {
    const before = commits();
    const numbers = [...Array(20).keys()];
    const simple = { id: "site", simple: {} };
    const batches = [numbers.slice(0, 10), numbers.slice(10)];
    const results = await apply([
      [created(zone, simple)],
      ...batches.map((batch) => batch.map((n) => created(vnet, { id: `net${n}`, zone: "site" }))),
      ...batches.map((batch) => batch.map((n) => created(subnet, { vnet: `net${n}`, cidr: `10.${n}.0.0/24` }))),
    ]);
    expect(commits() - before).toBe(1);
    expect(Object.keys(world().sdn.running.vnets)).toHaveLength(20);
    expect(Object.keys(world().sdn.running.subnets)).toHaveLength(20);
    await vnet().expectSettled(results[1]?.[0] as Instance, { id: "net0", zone: "site" });

    await bench.configure();
    const all = results.toReversed();
    const resources = [subnet, subnet, vnet, vnet, zone];
    for (const [index, group] of all.entries())
      await Promise.all(group.map((one) => resources[index]?.().planDestroy(one)));
    await bench.configure();
    for (const [index, group] of all.entries())
      await Promise.all(group.map((one) => resources[index]?.().destroy(one)));
    expect(commits() - before).toBe(2);
    expect(world().sdn.running.zones).toEqual({});
  });

  test("does not come before its time for objects that need no network, with `-parallelism=1`", async () => {
    const before = commits();
    const group = () => bench.resource("proxmox_group");
    const pool = () => bench.resource("proxmox_pool");
    await apply([
      [created(zone, site)],
      [created(group, { id: "between" })],
      [created(vnet, net(1))],
      [created(pool, { id: "between" })],
      [created(vnet, net(2))],
    ]);
    expect(commits() - before).toBe(1);
  });

  test("comes first for a storage: its server may be in a network of the same run", async () => {
    const storage = () => bench.resource("proxmox_storage");
    const directory = { id: "far", dir: { path: "/srv/far" }, content: ["iso"] };
    const before = commits();
    await apply([[created(zone, site)], [created(storage, directory)], [created(vnet, net(1))]]);
    expect(commits() - before).toBe(2);
  });

  test("serves what is applied at the same time where the plan is not known", async () => {
    await zone().create(site);
    const before = commits();
    const plans = await Promise.all([1, 2, 3].map((n) => vnet().plan(null, net(n))));
    await Promise.all(plans.map((plan) => vnet().apply(plan)));
    expect(commits() - before).toBe(1);
    expect(Object.keys(world().sdn.running.vnets).sort()).toEqual(["net1", "net2", "net3"]);
  });

  test.each(["load", "refresh"] as const)("serves a tainted zone and its tainted vnet: %s", async (start) => {
    const [[old], [inside]] = (await apply([[created(zone, site)], [created(vnet, net(1))]])) as [
      [Instance],
      [Instance],
    ];
    const before = commits();
    await bench.configure();
    await zone()[start](old);
    await vnet()[start](inside);
    const plans = [await zone().plan(null, site), await vnet().plan(null, { ...net(1), tag: 200 })] as const;
    await bench.configure();
    await vnet().destroy(inside, { ...plans[1], planned: null });
    await zone().destroy(old, { ...plans[0], planned: null });
    await zone().apply(plans[0]);
    const now = await vnet().apply(plans[1]);
    expect(attribute(now, "applied")).toBe(true);
    expect(commits() - before).toBe(1);
    expect(world().sdn.running.vnets["net1"]?.options).toMatchObject({ tag: "200" });
  });

  test("serves a zone that another client has removed, whenever Terraform finds out", async () => {
    for (const finds of ["before", "after"]) {
      await bench.configure();
      const old = await zone().create(site);
      for (const zones of [world().sdn.zones, world().sdn.running.zones]) delete zones["site"];
      await bench.configure();
      await zone().load(old);
      if (finds === "before") expect(await zone().find(old)).toBeNull();
      const plan = await zone().plan(null, site);
      if (finds === "after") expect(await zone().find(old)).toBeNull();
      await bench.configure();
      const now = await zone().apply(plan);
      expect(Object.keys(world().sdn.running.zones)).toEqual(["site"]);
      await zone().destroy(now);
    }
  });

  test("is made for the others when one of them fails", async () => {
    const groups = apply([[created(zone, site)], [1, 2, 3].map((n) => created(vnet, net(n)))]);
    bench.simulator.faults.order({
      do: "answer",
      call: "POST /cluster/sdn/vnets",
      status: 500,
      reason: "refused",
      nth: 3,
    });
    await expect(groups).rejects.toThrow("refused");
    await bench.simulator.sim.clock.sleep(20);
    expect(Object.keys(world().sdn.running.vnets)).toHaveLength(2);
  });
});

describe("an interrupted run", () => {
  test("is completed by the next apply: a change that was staged", async () => {
    await zone().create(site);
    const made = await vnet().create(net(1));
    world().sdn.vnets["net1"] = { type: "vnet", options: { zone: "site", tag: "101", alias: "staged" } };
    await bench.configure();
    const found = await vnet().refresh(made);
    expect(attribute(found, "applied")).toBe(false);
    const plan = await vnet().plan(found, { ...net(1), alias: "staged" });
    expect(plan.action).toBe("update");
    const before = commits();
    const now = await vnet().apply(plan);
    expect(commits() - before).toBe(1);
    await vnet().expectSettled(now, { ...net(1), alias: "staged" });
  });

  test("is completed by the next apply: the process was killed between the creation and the commit", async () => {
    await zone().create(site);
    await bench.configure();
    world().sdn.vnets["net1"] = { type: "vnet", options: { zone: "site", tag: "101" } };
    await bench.configure();
    const now = await vnet().create(net(1));
    expect(world().sdn.running.vnets["net1"]).toBeDefined();
    await vnet().destroy(now);
  });
});

describe("between the changes and the commit", () => {
  /** Does something once, right after the nth call that creates a vnet. */
  const afterVnet = (nth: number, work: () => void) => {
    let seen = 0;
    const stop = bench.simulator.sim.log.subscribe(({ method, path }) => {
      if (method !== "POST" || !path.endsWith("/cluster/sdn/vnets") || ++seen < nth) return;
      stop();
      work();
    });
  };

  test("the provider is killed, and the next run commits what it had staged", async () => {
    await zone().create(site);
    const plans = await Promise.all([1, 2].map((n) => vnet().plan(null, net(n))));
    await bench.configure();
    afterVnet(2, () => bench.provider.process.kill("SIGKILL"));
    await Promise.allSettled(plans.map((plan) => vnet().apply(plan)));
    expect(Object.keys(world().sdn.vnets)).toHaveLength(2);
    expect(world().sdn.running.vnets).toEqual({});
    await expect.poll(() => bench.provider.process.signalCode).toBe("SIGKILL");
    await bench.restart();
    const before = commits();
    const again = await Promise.all([1, 2].map((n) => vnet().plan(null, net(n))));
    await Promise.all(again.map((plan) => vnet().apply(plan)));
    expect(commits() - before).toBe(1);
    expect(Object.keys(world().sdn.running.vnets)).toHaveLength(2);
  });

  test("the provider is killed after a removal, which the next run commits or takes back", async () => {
    await zone().create(site);
    const made = await vnet().create(net(1));
    for (const isWanted of [true, false]) {
      delete world().sdn.vnets["net1"];
      await bench.configure();
      const found = await vnet().refresh(made);
      expect(attribute(found, "applied")).toBe(false);
      if (isWanted) await vnet().apply(await vnet().plan(found, net(1)));
      else await vnet().destroy(found);
      expect("net1" in world().sdn.running.vnets).toBe(isWanted);
      expect("net1" in world().sdn.vnets).toBe(isWanted);
    }
  });

  test("the removal of a zone with all that is in it is staged, and the next run takes it back, in any order", async () => {
    const plain = { id: "plain", simple: {} };
    const inPlain = { id: "net1", zone: "plain" };
    const cidr = { vnet: "net1", cidr: "10.1.0.0/24" };
    const made = [await zone().create(plain), await vnet().create(inPlain)] as const;
    await subnet().create(cidr);
    for (const kind of ["zones", "vnets", "subnets"] as const) world().sdn[kind] = {};
    await bench.configure();
    const [foundZone, foundVnet] = [await zone().refresh(made[0]), await vnet().refresh(made[1])];
    const before = commits();
    // The names are literal, so that Terraform plans and applies all three at once.
    const results = await apply([
      [
        created(subnet, cidr),
        async () => ({
          plan: await vnet().plan(foundVnet, { ...inPlain, alias: "Back" }),
          go: (plan) => vnet().apply(plan),
        }),
        async () => ({ plan: await zone().plan(foundZone, plain), go: (plan) => zone().apply(plan) }),
      ],
    ]);
    expect(commits() - before).toBe(1);
    expect(Object.keys(world().sdn.running.subnets)).toEqual(["plain-10.1.0.0-24"]);
    await subnet().expectSettled(results[0]?.[0] as Instance, cidr);
  });

  test("a removal whose resource is not planned again is committed before Terraform goes on", async () => {
    await zone().create(site);
    const made = await vnet().create(net(1));
    await bench.configure();
    await vnet().planDestroy(made);
    await vnet().plan(null, net(2));
    await bench.configure();
    await vnet().destroy(made);
    expect(world().sdn.running.vnets).toEqual({});
    expect(world().sdn).not.toHaveProperty("lockToken");
  });

  test("the provider is killed after a removal that the state has forgotten, and a run on another machine commits it", async () => {
    const old = await zone().create(site);
    const made = await vnet().create(net(1));
    await bench.configure();
    await vnet().planDestroy(made);
    await zone().planDestroy(old);
    await bench.configure();
    await vnet().destroy(made);
    expect(world().sdn.running.vnets).toHaveProperty("net1");
    bench.provider.process.kill("SIGKILL");
    await expect.poll(() => bench.provider.process.signalCode).toBe("SIGKILL");
    await bench.restart();
    // The note of the lock and of the changes is on the machine of the killed run; an administrator releases the lock.
    forgetNotes();
    delete world().sdn.lockToken;
    const found = await zone().refresh(old);
    await zone().planDestroy(found);
    await bench.configure();
    await zone().destroy(found);
    expect(world().sdn.running.vnets).toEqual({});
    expect(world().sdn.running.zones).toEqual({});
  });

  test("what was announced does not come, and the end of the run commits what is staged", async () => {
    const plan = await zone().plan(null, site);
    await vnet().plan(null, net(1));
    await bench.configure();
    await zone().apply(plan);
    expect(world().sdn.lockToken).toBeDefined();
    expect(world().sdn.running.zones).toEqual({});
    await bench.configure();
    expect(world().sdn.running.zones).toHaveProperty("site");
    expect(world().sdn).not.toHaveProperty("lockToken");
  });

  test("another client stages a change, and nothing is committed", async () => {
    await zone().create(site);
    const plan = await vnet().plan(null, net(1));
    await bench.configure();
    afterVnet(1, () => {
      world().sdn.zones["theirs"] = { type: "simple", options: {} };
    });
    await expect(vnet().apply(plan)).rejects.toThrow(/zone theirs \(new\)\. What this run has staged waits/);
    expect(world().sdn.running.vnets).toEqual({});
    expect(world().sdn).not.toHaveProperty("lockToken");
    delete world().sdn.zones["theirs"];
    await bench.configure();
    await vnet().create(net(1));
    expect(world().sdn.running.vnets).toHaveProperty("net1");
  });

  test("another client takes the lock for a moment", async () => {
    await zone().create(site);
    afterVnet(1, () => {
      world().sdn.lockToken = "another-client";
      setTimeout(() => delete world().sdn.lockToken, 50);
    });
    await vnet().create(net(1));
    expect(world().sdn.running.vnets).toHaveProperty("net1");
  });
});

describe("nodes that do not reload", () => {
  test("are named, though the task says OK", async () => {
    bench.simulator.faults.order({ do: "offline", node: "pve3" });
    bench.simulator.faults.order({ do: "fail", task: "srvreload", node: "pve2", text: "ifreload failed" });
    const made = await zone().apply(await zone().plan(null, site));
    const said = (made.warnings ?? []).map(({ summary, detail }) => `${summary}: ${detail}`).join("\n");
    expect(said).toContain("Node pve3 is offline");
    expect(said).toMatch(/Node pve2 has not reloaded its network: .*ifreload failed/);
  });
});

describe("the lock of the SDN", () => {
  test("is respected, and the message says how to break it", async () => {
    world().sdn.lockToken = "another-client";
    await expect(zone().create(site)).rejects.toThrow(/break_lock = true/);
    expect(world().sdn.zones["site"]).toBeUndefined();
  });

  test("is released after a commit that was refused, and what was staged is rolled back", async () => {
    bench.simulator.faults.order({ do: "answer", call: "PUT /cluster/sdn", status: 500, reason: "cannot compile" });
    await expect(zone().create(site)).rejects.toThrow(/cannot compile.*rolled back.*IPAM/s);
    expect(world().sdn).not.toHaveProperty("lockToken");
    expect(world().sdn.zones["site"]).toBeUndefined();
  });
});

test("`apply = false` only stages", async () => {
  const before = commits();
  const made = await zone().apply(await zone().plan(null, { ...site, apply: false }));
  expect(attribute(made, "applied")).toBe(false);
  expect(commits()).toBe(before);
  await zone().expectSettled(made, { ...site, apply: false });
  await bench.configure();
  const plan = await zone().plan(await zone().refresh(made), site);
  await zone().apply(plan);
  expect(world().sdn.running.zones["site"]).toBeDefined();
});

test("an interface that was staged and destroyed leaves only the header of the file, and no commit stops at it", async () => {
  const nic = bench.resource("proxmox_network_interface");
  const made = await nic.create({ node: "pve1", name: "vmbr7", bridge: {}, apply: false });
  await bench.configure();
  await nic.destroy(made);
  await bench.configure();
  const zoned = await zone().create(site);
  expect(attribute(zoned, "applied")).toBe(true);
});

test("a VM on a vnet of the same run is planned, and created after the commit though subnets follow", async () => {
  const simple = { id: "site", simple: {} };
  const vm = {
    name: "web",
    vmid: 601,
    clone: { template: "ubuntu-24.04-cloud" },
    networks: { net0: { bridge: "net1" } },
  };
  const plans = [
    await zone().plan(null, simple),
    await vnet().plan(null, { id: "net1", zone: "site" }),
    await bench.resource("proxmox_vm").plan(null, vm),
    await subnet().plan(null, { vnet: "net1", cidr: "10.1.0.0/24" }),
  ] as const;
  await bench.configure();
  await zone().apply(plans[0]);
  await vnet().apply(plans[1]);
  expect(world().sdn.running.vnets).not.toHaveProperty("net1");
  await bench.resource("proxmox_vm").apply(plans[2]);
  expect(world().sdn.running.vnets).toHaveProperty("net1");
  expect(world().guests[601]?.run).toBeDefined();
  await subnet().apply(plans[3]);
  expect(Object.keys(world().sdn.running.subnets)).toHaveLength(1);
});
