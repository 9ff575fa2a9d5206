import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { defaultSeed } from "#simulator";
import type { ManagedResource } from "../../harness/index.ts";
import { attribute, ResourceBench } from "../resource-bench.ts";

let bench: ResourceBench;

const vmids = [101, 102, 103, 104];
const plain = defaultSeed() as { guests: object[] };
const guests = vmids.map((vmid) => ({ vmid, node: "pve1", config: { name: `web-${vmid}` } }));
const ha_resources = vmids.map((vmid) => ({ sid: `vm:${vmid}`, state: "stopped" }));
const seed = { ...plain, guests: [...plain.guests, ...guests], ha_resources };

beforeAll(async () => {
  const env = { PROXMOX_VE_LOCK_WAITS: "50ms,100ms,200ms,400ms" };
  bench = await ResourceBench.open({ env, seed });
});

afterEach(() => bench.simulator.faults.clear());

afterAll(() => bench.close());

const rules = (): ManagedResource => bench.resource("proxmox_ha_rule");
const onServer = (name: string) => bench.simulator.sim.world.ha.rules[name]?.options;

const near = (name: string, more: object = {}) => ({
  name,
  type: "node-affinity",
  resources: ["vm:101"],
  nodes: { pve1: 2, pve2: 1 },
  ...more,
});
const apart = (name: string, more: object = {}) => ({
  name,
  type: "resource-affinity",
  resources: ["vm:103", "vm:104"],
  affinity: "negative",
  ...more,
});

describe("a rule", () => {
  test("takes a comment that PVE keeps, and leaves one alone that PVE has made from a group", async () => {
    await expect(rules().plan(null, near("text", { comment: "grün" }))).rejects.toThrow("letters of ASCII only");
    await expect(rules().plan(null, near("text", { comment: "a%41b" }))).rejects.toThrow("Must not contain `%41`");
    await bench.configure();
    await rules().create(near("text"));
    Object.assign(onServer("text") ?? expect.fail(), { comment: "grün" });
    await bench.configure();
    const found = await rules().import({ id: "text" });
    const config = near("text", { comment: "grün" });
    await rules().expectSettled(found, config);
    await rules().destroy(await rules().update(found, { ...config, nodes: { pve1: 1 } }));
  });

  test("about nodes goes through its life cycle", async () => {
    const made = await rules().create(near("near", { comment: "disks are here", resources: ["vm:102", "vm:101"] }));
    expect(onServer("near")).toMatchObject({ resources: "vm:101,vm:102", nodes: "pve1:2,pve2:1" });
    expect(attribute(made, "strict")).toBe(false);
    const config = near("near", { nodes: { pve3: 0 }, strict: true, enabled: false });
    const changed = await rules().update(made, config);
    expect(onServer("near")).toMatchObject({ nodes: "pve3:0", strict: "1", disable: "1", resources: "vm:101" });
    expect(onServer("near")).not.toHaveProperty("comment");
    const imported = await rules().import({ id: "near" });
    expect(imported.state).toEqual(changed.state);
    await rules().expectSettled(imported, config);
    const kept = await rules().update(changed, near("near", { nodes: { pve3: 0 } }));
    expect(attribute(kept, "enabled")).toBe(true); // a removed argument is undone
    expect(onServer("near")).not.toHaveProperty("disable");
    await rules().destroy(kept);
    expect(onServer("near")).toBeUndefined();
  });

  test("about guests goes through its life cycle, and is replaced to become one about nodes", async () => {
    const made = await rules().create(apart("apart"));
    expect(attribute(made, "strict")).toBeNull();
    const changed = await rules().update(made, apart("apart", { affinity: "positive", comment: "talk a lot" }));
    expect(onServer("apart")).toMatchObject({ affinity: "positive", comment: "talk a lot" });
    const plan = await rules().plan(changed, near("apart"));
    expect(plan.action).toBe("replace");
    await rules().destroy(await rules().apply(plan));
  });

  test("that was removed with its guests is found missing, and changes by another client are corrected", async () => {
    const config = near("drift", { resources: ["vm:101", "vm:102"] });
    const made = await rules().create(config);
    const options = onServer("drift");
    if (options) options["resources"] = "vm:102";
    await bench.configure();
    const mended = await rules().update(made, config);
    expect(onServer("drift")?.["resources"]).toBe("vm:101,vm:102");
    delete bench.simulator.sim.world.ha.rules["drift"];
    await bench.configure();
    expect(await rules().find(mended)).toBeNull();
    await rules().destroy(mended);
  });
});

describe("the affinity of a rule about nodes", () => {
  const away = (more: object = {}) => near("away", { nodes: { pve1: 0 }, ...more });

  test("is positive, though Proxmox VE fills it in, and plans no change", async () => {
    const made = await rules().create(away());
    expect(attribute(made, "affinity")).toBe("positive");
    expect(onServer("away")).not.toHaveProperty("affinity");
    await bench.configure();
    await rules().expectSettled(made, away());
    await rules().expectSettled(made, away({ affinity: "positive" }));
    const changed = await rules().update(made, away({ comment: "x" }));
    expect(onServer("away")).not.toHaveProperty("affinity");
    await rules().destroy(changed);
  });

  test("stays negative if nothing is written, and changes in both directions", async () => {
    const options = { resources: "vm:101", nodes: "pve1", affinity: "negative" };
    bench.simulator.sim.world.ha.rules["away"] = { type: "node-affinity", options };
    await bench.configure();
    const found = await rules().import({ id: "away" });
    expect(attribute(found, "affinity")).toBe("negative");
    await rules().expectSettled(found, away());
    const kept = await rules().update(found, away({ comment: "x" }));
    expect(onServer("away")).toMatchObject({ affinity: "negative", comment: "x" });
    const turned = await rules().update(kept, away({ affinity: "positive" }));
    expect(onServer("away")).not.toHaveProperty("affinity");
    await rules().update(turned, away({ affinity: "negative" }));
    expect(onServer("away")).toMatchObject({ affinity: "negative" });
    await rules().destroy(turned);
  });

  test("is neither sent to a host that lacks it nor missing there; a negative one is refused in the plan", async () => {
    const version = { version: "9.2.5", release: "9.2", repoid: "0" };
    const old = await ResourceBench.open({ seed: { ...seed, version } });
    try {
      const there = old.resource("proxmox_ha_rule");
      const made = await there.create(away({ affinity: "positive" }));
      expect(attribute(made, "affinity")).toBe("positive");
      await old.configure();
      await there.expectSettled(made, away());
      await there.update(made, away({ comment: "x" }));
      const refused = there.plan(null, near("second", { nodes: { pve1: 0 }, affinity: "negative" }));
      await expect(refused).rejects.toThrow('has `affinity = "negative"` since 9.2.6, and the host has 9.2.5');
    } finally {
      await old.close();
    }
  });
});

describe("is refused while planning:", () => {
  test.each([
    ["a rule about nodes without nodes", near("bad", { nodes: null }), /give `nodes`/],
    ["a negative rule with priorities", near("bad", { affinity: "negative" }), /write `pve1 = 0`, `pve2 = 0`/],
    ["a rule about guests without affinity", apart("bad", { affinity: null }), /give `affinity = "positive"`/],
    ["a rule about guests with nodes", apart("bad", { nodes: { pve1: 1 } }), /is for `node-affinity` rules/],
    ["a rule about guests that is strict", apart("bad", { strict: true }), /is for `node-affinity` rules/],
    ["a guest alone", apart("bad", { resources: ["vm:101"] }), /give two or more/],
    ["an unknown node", near("bad", { nodes: { pve9: 1 } }), /Node `pve9` does not exist. Available: `pve1`/],
    ["an invalid guest", near("bad", { resources: ["101"] }), /"vm:" or "ct:" and a VMID/],
    ["an unknown type", near("bad", { type: "group" }), /"node-affinity", "resource-affinity"/],
  ])("%s", async (_, config, message) => {
    await expect(rules().plan(null, config)).rejects.toThrow(message);
  });

  test("a name that is in use", async () => {
    const options = { resources: "vm:101", nodes: "pve1", disable: "1" };
    bench.simulator.sim.world.ha.rules["taken"] = { type: "node-affinity", options };
    await bench.configure();
    await expect(rules().plan(null, apart("taken"))).rejects.toThrow('id = "taken"');
  });
});

describe("PVE's own refusals are reported:", () => {
  test("rules that contradict each other", async () => {
    const made = await rules().create(apart("first"));
    const refused = rules().create(apart("second", { affinity: "positive" }));
    await expect(refused).rejects.toThrow(/Unable to create HA rule "second"[\s\S]*shares two or more resources/);
    await rules().destroy(made);
  });

  test("a guest that is not under HA", async () => {
    await expect(rules().create(near("stray", { resources: ["vm:9000"] }))).rejects.toThrow(
      "cannot use unmanaged resource(s) vm:9000",
    );
  });
});

test("lost responses do not lose completed work", async () => {
  const order = (call: string) => bench.simulator.faults.order({ do: "answer", call, status: 596, after: 1 });
  order("POST /cluster/ha/rules");
  const made = await rules().create(near("lost"));
  order("PUT /cluster/ha/rules/{rule}");
  const changed = await rules().update(made, near("lost", { comment: "found" }));
  order("DELETE /cluster/ha/rules/{rule}");
  await rules().destroy(changed);
  expect(onServer("lost")).toBeUndefined();
});

test("ten simultaneous guests, and a lock that another client holds for a while, are no failure", async () => {
  const text = "create ha rule failed: cfs-lock 'domain-ha' error: got lock request timeout";
  bench.simulator.faults.order({ do: "answer", call: "POST /cluster/ha/rules", status: 500, reason: text });
  const names = Array.from({ length: 10 }, (_, index) => `many-${index}`);
  const plans = await Promise.all(names.map((name) => rules().plan(null, near(name, { enabled: false }))));
  const made = await Promise.all(plans.map((plan) => rules().apply(plan)));
  expect(names.every((name) => onServer(name))).toBe(true);
  await Promise.all(made.map((rule) => rules().destroy(rule)));
});

describe("what a rule names", () => {
  const resources = () => bench.resource("proxmox_ha_resource");

  test("stays in it when its HA resource is replaced, and leaves it when that is removed", async () => {
    const rule = await rules().create(near("kept", { resources: ["vm:101", "vm:102"] }));
    const config = { sid: "vm:101", state: "stopped" };
    const now = await resources().import({ id: "vm:101" });
    const again = await resources().apply(await resources().planReplacement(now, config));
    expect(onServer("kept")).toMatchObject({ resources: "vm:101,vm:102" });
    await rules().expectSettled(rule, near("kept", { resources: ["vm:101", "vm:102"] }));
    await resources().destroy(again);
    expect(onServer("kept")).toMatchObject({ resources: "vm:102" });
    await resources().create(config);
    await rules().destroy(rule);
  });

  test("may all be removed before others take their place: the rule is created again", async () => {
    const made = await rules().create(near("moved"));
    const plan = await rules().plan(made, near("moved", { resources: ["vm:102"], comment: "c" }));
    await resources().destroy(await resources().import({ id: "vm:101" }));
    expect(onServer("moved"), "Proxmox VE removes it with the last guest in it").toBeUndefined();
    const changed = await rules().apply(plan);
    expect(onServer("moved")).toMatchObject({ resources: "vm:102", comment: "c" });
    await rules().destroy(changed);
    await resources().create({ sid: "vm:101", state: "stopped" });
  });
});
