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

const sdn = () => bench.simulator.sim.world.sdn;
const zone = () => bench.resource("proxmox_sdn_zone");
const vnet = () => bench.resource("proxmox_sdn_vnet");
const commits = () => bench.simulator.sim.world.tasks.filter(({ type }) => type === "reloadnetworkall").length;
const site = { id: "site", simple: {} };

describe("a provider that is killed while it holds the lock of the SDN", () => {
  beforeEach(async () => {
    const plan = await zone().plan(null, site);
    const stop = bench.simulator.sim.log.subscribe(({ method, path }) => {
      if (method !== "GET" || !path.endsWith("/dry-run")) return;
      stop();
      bench.provider.process.kill("SIGKILL");
    });
    await zone()
      .apply(plan)
      .catch(() => {});
    await expect.poll(() => bench.provider.process.signalCode).toBe("SIGKILL");
    expect(sdn().lockToken).toBeDefined();
    await bench.restart();
  });

  test("leaves it to the next run on the same machine", async () => {
    await zone().create(site);
    expect(sdn().running.zones).toHaveProperty("site");
    expect(sdn().lockToken).toBeUndefined();
  });

  test("leaves nothing to a run that finds the lock of another client", async () => {
    sdn().lockToken = "another-client";
    await expect(zone().create(site)).rejects.toThrow(/break_lock = true/);
    expect(sdn().lockToken).toBe("another-client");
  });
});

describe("the request for the lock", () => {
  const lose = (after: 0 | 1) =>
    bench.simulator.faults.order({ do: "reset", call: "POST /cluster/sdn/lock", after, times: 1 });

  test("is repeated when it was lost", async () => {
    lose(0);
    await zone().create(site);
    expect(sdn().running.zones).toHaveProperty("site");
  });

  test("leaves a lock whose token is lost with its answer, and the message says what to do", async () => {
    lose(1);
    await expect(zone().create(site)).rejects.toThrow(/answer to the request.*was lost.*break_lock = true/s);
    expect(sdn().running.zones).not.toHaveProperty("site");
    delete sdn().lockToken;
    await bench.configure();
    await zone().create(site);
    expect(sdn().running.zones).toHaveProperty("site");
  });

  test("whose lock cannot be released leaves it to the next run", async () => {
    bench.simulator.faults.order({ do: "answer", call: "PUT /cluster/sdn", status: 500, reason: "cannot compile" });
    for (const call of ["POST /cluster/sdn/rollback", "DELETE /cluster/sdn/lock"])
      bench.simulator.faults.order({ do: "reset", call, times: 0 });
    await expect(zone().create(site)).rejects.toThrow(/cannot compile.*Nothing was rolled back/s);
    expect(sdn().lockToken).toBeDefined();
    bench.simulator.faults.clear();
    await bench.configure();
    await zone().create(site);
    expect(sdn().running.zones).toHaveProperty("site");
    expect(sdn().lockToken).toBeUndefined();
  });
});

test("an object that is replaced takes one commit, whether its type changes or its creation has failed", async () => {
  const made = await zone().create(site);
  await bench.configure();
  const found = await zone().refresh(made);
  const plan = await zone().plan(found, { id: "site", vlan: { bridge: "vmbr0" } });
  expect(plan.action).toBe("replace");
  await bench.configure();
  const before = commits();
  const now = await zone().apply(plan);
  expect(commits() - before).toBe(1);
  expect(sdn().running.zones["site"]?.type).toBe("vlan");

  await bench.configure();
  const tainted = await zone().refresh(now);
  const again = await zone().plan(null, site);
  await bench.configure();
  await zone().destroy(tainted);
  await zone().apply(again);
  expect(commits() - before).toBe(2);
});

test("a commit that fails keeps removals that the state has forgotten, and the next run commits them", async () => {
  const old = await zone().create(site);
  const gone = await vnet().create({ id: "gone", zone: "site" });
  await bench.configure();
  await vnet().planDestroy(gone);
  await zone().planDestroy(old);
  await bench.configure();
  await vnet().destroy(gone);
  bench.simulator.faults.order({ do: "answer", call: "PUT /cluster/sdn", status: 500, reason: "cannot compile" });
  await expect(zone().destroy(old)).rejects.toThrow(/cannot compile.*The staged changes stay.*forgotten.*\(gone\)/s);
  expect(sdn().vnets).not.toHaveProperty("gone");
  await bench.configure();
  const found = await zone().refresh(old);
  await zone().planDestroy(found);
  await bench.configure();
  await zone().destroy(found);
  expect(sdn().running.vnets).toEqual({});
});
