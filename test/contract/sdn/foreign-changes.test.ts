import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { ResourceBench } from "../resource-bench.ts";

let bench: ResourceBench;

beforeAll(async () => {
  bench = await ResourceBench.open({ env: { PROXMOX_VE_LOCK_WAITS: "10ms,20ms,40ms,80ms" } });
});
beforeEach(async () => {
  bench.simulator.reset();
  await bench.configure();
});
afterAll(() => bench.close());

const world = () => bench.simulator.sim.world;
const zone = () => bench.resource("proxmox_sdn_zone");
const vnet = () => bench.resource("proxmox_sdn_vnet");
const site = { id: "site", vlan: { bridge: "vmbr0" } };
const net = (n: number) => ({ id: `net${n}`, zone: "site", tag: 100 + n });

describe("changes of other clients", () => {
  const foreign = () => {
    world().sdn.zones["theirs"] = { type: "simple", options: {} };
  };

  test("are shown in the plan, and stop the apply before it writes", async () => {
    foreign();
    const plan = await zone().plan(null, site);
    expect(plan.warnings.map(({ detail }) => detail).join()).toContain("zone theirs (new)");
    await bench.configure();
    await expect(zone().apply(plan)).rejects.toThrow(/zone theirs \(new\)\. Nothing was changed/);
    expect(world().sdn.zones["site"]).toBeUndefined();
  });

  test.each([
    [
      "prefix list theirs (new)",
      () => {
        world().sdn.prefixLists["theirs"] = { type: "prefix-list", options: { id: "theirs", entries: [] } };
      },
    ],
    [
      "route map entry theirs/10 (new)",
      () => {
        const options = { "route-map-id": "theirs", order: "10", action: "permit" };
        world().sdn.routeMaps["theirs_10"] = { type: "route-map-entry", options };
      },
    ],
  ])("are noticed if they are a %s", async (named, stage) => {
    stage();
    const plan = await zone().plan(null, site);
    expect(plan.warnings.map(({ detail }) => detail).join()).toContain(named);
    await bench.configure();
    await expect(zone().apply(plan)).rejects.toThrow(`${named}. Nothing was changed`);
    expect(world().sdn.running.routeMaps).toEqual({});
    expect(world().sdn.running.prefixLists).toEqual({});
  });

  test("of route maps are not rolled back with a commit that Proxmox VE refuses", async () => {
    const options = { "route-map-id": "theirs", order: "10", action: "permit" };
    world().sdn.routeMaps["theirs_10"] = { type: "route-map-entry", options };
    bench.simulator.faults.order({ do: "answer", call: "PUT /cluster/sdn", status: 500, reason: "cannot compile" });
    const refused = zone().create({ ...site, commit_foreign: true });
    await expect(refused).rejects.toThrow("a rollback would also drop those of other clients");
    expect(Object.keys(world().sdn.routeMaps)).toEqual(["theirs_10"]);
  });

  test("of a kind that the provider does not know are noticed by their state", async () => {
    const answers: Readonly<Record<string, unknown>> = {
      "/cluster/sdn": [{ id: "zones" }, { id: "traffic-filters" }],
      "/cluster/sdn/traffic-filters": [{ pending: { id: "theirs" }, state: "new" }],
    };
    const { router } = bench.simulator.sim;
    const find = router.find.bind(router);
    const everyUser = { permissions: { user: "all" }, parameters: {}, additionalProperties: true } as const;
    router.find = (method, path) =>
      method === "GET" && path in answers
        ? { endpoint: { ...everyUser, method, path, handler: () => answers[path] }, parameters: {} }
        : find(method, path);
    try {
      await expect(zone().create(site)).rejects.toThrow("traffic filters theirs (new). Nothing was changed");
    } finally {
      router.find = find;
    }
  });

  test("are committed with `commit_foreign`", async () => {
    foreign();
    await zone().create({ ...site, commit_foreign: true });
    expect(Object.keys(world().sdn.running.zones).sort()).toEqual(["site", "theirs"]);
  });

  const stageInterface = () => {
    const node = world().nodes["pve2"];
    if (node) node.newInterfaces = { ...node.interfaces, vmbr77: { type: "bridge", method: "manual", autostart: 1 } };
  };
  const isStaged = () => world().nodes["pve2"]?.newInterfaces !== undefined;

  test("may remove a vnet while the plan reads, which is no failure", async () => {
    await zone().create(site);
    await vnet().create(net(1));
    await bench.configure();
    const stop = bench.simulator.sim.log.subscribe(({ method, path }) => {
      if (method !== "GET" || !path.endsWith("/cluster/sdn/vnets")) return;
      stop();
      for (const { vnets } of [world().sdn, world().sdn.running]) delete vnets["net1"];
    });
    await vnet().create(net(2));
    expect(Object.keys(world().sdn.running.vnets)).toEqual(["net2"]);
  });

  test("of interfaces are shown and stop the apply, since the commit reloads every node", async () => {
    stageInterface();
    const plan = await zone().plan(null, site);
    expect(plan.warnings.map(({ detail }) => detail).join()).toContain(
      "interfaces are staged and not in effect on pve2",
    );
    await bench.configure();
    await expect(zone().apply(plan)).rejects.toThrow(/interfaces .* on pve2: .* Nothing was changed/);
    expect(world().sdn.zones["site"]).toBeUndefined();
    expect(isStaged()).toBe(true);
    await bench.configure();
    await zone().create({ ...site, commit_foreign: true });
    expect(isStaged()).toBe(false);
  });
});
