import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { attribute, writable } from "../resource-bench.ts";
import { askAsOther, Bench, type Input } from "./suite.ts";

let bench: Bench;
let vmid = 800;

beforeAll(async () => {
  bench = await Bench.open();
});
beforeEach(() => {
  vmid += 1;
});
afterAll(() => bench.close());

const config = (more: object = {}): Input => ({
  name: `ha-${vmid}`,
  vmid,
  node: "pve1",
  clone: { template: "debian-13-cloud" },
  ...more,
});
const resource = () => bench.simulator.sim.world.ha.resources[`vm:${vmid}`]?.options;

describe("high availability", () => {
  test("is there before the VM starts, changes in place, and goes when its line does", async () => {
    const made = await bench.vm.create(config({ ha: { max_restart: 2, comment: "web" } }));
    expect(resource()).toMatchObject({ state: "started", max_restart: "2", comment: "web" });
    expect(bench.guest(vmid).run).toBeDefined();
    const changed = await bench.vm.update(made, config({ ha: { max_restart: 3, max_relocate: 0, failback: false } }));
    expect(resource()).toMatchObject({ max_restart: "3", max_relocate: "0", failback: "0" });
    expect(resource()).not.toHaveProperty("comment");
    const left = await bench.vm.update(changed, config());
    expect(resource()).toBeUndefined();
    expect(attribute(left, "ha")).toBeNull();
    expect(bench.guest(vmid).run).toBeDefined();
  });

  test("stops and starts the VM, and is waited for", async () => {
    const made = await bench.vm.create(config({ ha: { state: "stopped" } }));
    expect(bench.guest(vmid).run).toBeUndefined();
    const started = await bench.vm.update(made, config({ ha: { state: "started" } }));
    expect(bench.guest(vmid).run).toBeDefined();
    const stopped = await bench.vm.update(started, config({ ha: {}, power: "stopped" }));
    expect(resource()).toMatchObject({ state: "stopped" });
    expect(attribute(stopped, "status")).toBe("stopped");
  });

  test("that stops a VM leaves the way to the HA manager, as the plan says", async () => {
    const shutdown = { timeout: "0s" };
    const made = await bench.vm.create(config({ ha: { state: "started" }, shutdown }));
    const plan = await bench.vm.plan(made, config({ ha: { state: "stopped" }, shutdown }));
    const { detail } = plan.warnings.find(({ summary }) => summary === "The VM will be stopped") ?? {};
    expect(detail).toMatch(/HA manager.*asks the guest to shut down.*`shutdown` has no effect/s);
    await bench.vm.destroy(made);
  });

  test.each([
    ["allows", { restart_policy: "when_needed" }],
    ["says nothing of", {}],
  ])(
    "that stops a VM is obeyed by a change that needs it stopped, where the configuration %s restarts",
    async (_, policy) => {
      const settings = { ...policy, tpm_state: { storage: "local-lvm", version: "v2.0" } };
      const made = await bench.vm.create(config({ ...settings, power: "running" }));
      const moved = { ...settings, tpm_state: { storage: "local-zfs", version: "v2.0" }, ha: { state: "disabled" } };
      const stopped = await bench.vm.update(made, config(moved));
      expect(resource()).toMatchObject({ state: "disabled" });
      expect(attribute(stopped, "status")).toBe("stopped");
      expect(bench.guest(vmid).run).toBeUndefined();
    },
  );

  test("starts a VM whose power is left alone, as the plan says", async () => {
    const made = await bench.vm.create(config({ ha: {}, power: "unmanaged" }));
    expect(attribute(made, "status")).toBe("running");
    await bench.vm.destroy(made);
  });

  test("that others set is left alone", async () => {
    const made = await bench.vm.create(config());
    bench.simulator.sim.world.ha.resources[`vm:${vmid}`] = { type: "vm", options: { state: "started" } };
    await bench.restart();
    const changed = await bench.vm.update(await bench.vm.refresh(made), config({ cpu: { cores: 3 } }));
    expect(resource()).toEqual({ state: "started" });
    expect(attribute(changed, "ha")).toBeNull();
  });

  test("that others changed is put right", async () => {
    const made = await bench.vm.create(config({ ha: { max_restart: 2 } }));
    const { options } = bench.simulator.sim.world.ha.resources[`vm:${vmid}`] ?? { options: {} };
    Object.assign(options, { max_restart: "7" });
    await bench.restart();
    await bench.vm.update(await bench.vm.refresh(made), config({ ha: { max_restart: 2 } }));
    expect(resource()).toMatchObject({ max_restart: "2" });
  });

  test("comes with an import, whether it is written or not", async () => {
    await bench.vm.create(config({ ha: { state: "started", max_relocate: 2 } }));
    await bench.restart();
    const imported = await bench.vm.import({ id: String(vmid) });
    expect(attribute(imported, "ha")).toMatchObject({ state: "started", max_relocate: 2 });
    expect((await bench.vm.plan(imported, writable(bench.vm, imported))).action).toBe("no-op");
    expect((await bench.vm.plan(imported, { name: `ha-${vmid}` })).action).toBe("no-op");
  });

  test("rules keep a VM that is replaced, and not one that is destroyed", async () => {
    const { ha } = bench.simulator.sim.world;
    const made = await bench.vm.create(config({ ha: { state: "stopped" }, power: "stopped" }));
    const sid = `vm:${vmid}`;
    ha.rules["near"] = { type: "node-affinity", options: { resources: sid, nodes: "pve1" } };
    const wanted = config({ ha: { state: "stopped" }, power: "stopped" });
    const again = await bench.vm.apply(await bench.vm.planReplacement(made, wanted));
    expect(resource()).toBeDefined();
    expect(ha.rules["near"]?.options["resources"]).toBe(sid);
    await bench.vm.destroy(again);
    expect(ha.rules["near"]).toBeUndefined();
  });

  test.each([true, false])("ends with the VM (purge = %s)", async (purge) => {
    const made = await bench.vm.create(config({ ha: {}, destroy: { purge } }));
    await bench.vm.destroy(made);
    expect(resource()).toBeUndefined();
    expect(bench.has(vmid)).toBe(false);
  });

  test("that has given up a VM refuses its start and other HA options in the plan, and nothing else", async () => {
    const made = await bench.vm.create(config({ power: "stopped" }));
    Object.assign(bench.guest(vmid).config, { hotplug: "memory", numa: "0" });
    const { ha } = bench.simulator.sim.world;
    ha.resources[`vm:${vmid}`] = { type: "vm", options: { state: "started" } };
    await expect.poll(() => ha.services[`vm:${vmid}`]?.state).toBe("error");
    bench.guest(vmid).config["hotplug"] = "network";
    await bench.restart();
    const found = await bench.vm.refresh(made);
    await expect(bench.vm.plan(found, config({ power: "running" }))).rejects.toThrow(
      `run \`ha-manager set vm:${vmid} --state disabled\``,
    );
    await expect(bench.vm.plan(found, config({ power: "stopped", ha: { state: "stopped" } }))).rejects.toThrow(
      `The HA options of VM ${vmid} cannot be changed`,
    );
    const kept = await bench.vm.update(found, config({ power: "unmanaged", memory: { size: "1G" } }));
    await askAsOther(bench, "PUT", `/cluster/ha/resources/vm:${vmid}`, { state: "disabled" });
    await expect.poll(() => ha.services[`vm:${vmid}`]?.state).toBe("stopped");
    await bench.restart();
    const started = await bench.vm.update(await bench.vm.refresh(kept), config({ power: "running" }));
    expect(attribute(started, "status")).toBe("running");
    await bench.vm.destroy(started);
  });

  test("is read once for all VMs, and only if one has it", async () => {
    const reads = async (more: object) => {
      const configs = [0, 1, 2].map((index) =>
        config({ vmid: vmid * 100 + index, name: `read-${vmid}-${index}`, power: "stopped", ...more }),
      );
      const plans = await Promise.all(configs.map(async (one) => ({ one, plan: await bench.vm.plan(null, one) })));
      const made = await Promise.all(plans.map(({ plan, one }) => bench.vm.apply(plan, one)));
      await bench.restart();
      bench.simulator.sim.log.clear();
      await Promise.all(made.map((one) => bench.vm.refresh(one)));
      const { calls } = bench.simulator.sim.log.summary() as { calls: { endpoint: string; count: number }[] };
      return calls.filter(({ endpoint }) => endpoint.includes("/ha/")).map(({ count }) => count);
    };
    expect(await reads({})).toEqual([]);
    vmid += 1;
    expect(await reads({ ha: {} })).toEqual([1]);
  });

  test("that contradicts the power is refused", async () => {
    const wanted = config({ ha: { state: "started" }, power: "stopped" });
    await expect(bench.vm.plan(null, wanted)).rejects.toThrow("contradicts");
  });

  test("needs a privilege, which is said while planning", async () => {
    const poor = await Bench.open({ as: "terraform@pve!tf" });
    await expect(poor.vm.plan(null, config({ ha: {} }))).rejects.toThrow("/: Sys.Console (for `ha`)");
    await poor.close();
  });
});
