import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { attribute } from "../resource-bench.ts";
import { Bench, type Input } from "./suite.ts";

let bench: Bench;
let nextVmid = 600;

beforeAll(async () => {
  bench = await Bench.open({ speed: 1000, env: { PROXMOX_VE_TASK_TIMEOUT: "250ms" } });
});

afterAll(() => bench.close());

type Given = Record<string, Input>;

const newVm = (): Given & { vmid: number } => {
  const vmid = nextVmid++;
  return { name: `vm-${vmid}`, vmid, power: "running", clone: { template: "ubuntu-24.04-cloud" } };
};

/** A running VM whose guest does not obey. */
async function deaf(more: Given = {}) {
  const common = { ...newVm(), ...more };
  const made = await bench.vm.create(common);
  Object.assign(bench.guest(common.vmid).behaviour, { acpi: false, agent: false });
  return { common, made };
}

describe("a VM that another user has paused", () => {
  test("is resumed where it has to run, and left alone elsewhere", async () => {
    const common = newVm();
    const made = await bench.vm.create(common);
    const { run } = bench.guest(common.vmid);
    if (run) run.paused = true;
    // The lists show it after the next statistics.
    await bench.simulator.sim.clock.sleep(20);
    await bench.restart();
    const read = await bench.vm.refresh(made);
    expect(attribute(read, "status")).toBe("paused");
    expect((await bench.vm.plan(read, { ...common, power: "unmanaged" })).planned).toMatchObject({ status: "paused" });
    const plan = await bench.vm.plan(read, common);
    expect(plan).toMatchObject({ action: "update", planned: { status: "running" } });
    const resumed = await bench.vm.apply(plan);
    expect(bench.guest(common.vmid).run?.paused).not.toBe(true);
    expect(attribute(resumed, "status")).toBe("running");
    await bench.vm.destroy(resumed);
  });
});

describe("a guest that does not shut down", () => {
  test("is stopped hard after its time, and the apply says so", async () => {
    const { common, made } = await deaf({ shutdown: { timeout: "5s" } });
    const updated = await bench.vm.update(made, { ...common, power: "stopped" });
    const [warning] = updated.warnings ?? [];
    expect(warning).toMatchObject({ summary: "The guest was stopped hard" });
    expect(warning?.detail).toContain("within 5s");
  });

  test("keeps running where force is not allowed, and so does the destruction fail", async () => {
    const { common, made } = await deaf({ shutdown: { timeout: "5s", force: false } });
    const attempt = bench.vm.update(made, { ...common, power: "stopped" });
    await expect(attempt).rejects.toThrow(/The guest does not shut down.*given 5s.*shutdown\.force = true/s);
    expect(bench.guest(common.vmid).run).toBeDefined();
    await expect(bench.vm.destroy(made)).rejects.toThrow("The guest does not shut down");
    expect(bench.has(common.vmid)).toBe(true);
    const shorter = await bench.vm.update(made, { ...common, destroy: { grace: "3s" } });
    await expect(bench.vm.destroy(shorter)).rejects.toThrow(/given 3s.*raise `destroy\.grace`/s);
  });

  test("is stopped at once where it has no time", async () => {
    const { common, made } = await deaf({ shutdown: { timeout: "0s" } });
    const updated = await bench.vm.update(made, { ...common, power: "stopped" });
    expect(updated.warnings).toEqual([]);
    expect(attribute(updated, "status")).toBe("stopped");
  });

  test("has all of its time, however short the patience with silent tasks is", async () => {
    const { common, made } = await deaf({ shutdown: { timeout: "9m" } });
    const updated = await bench.vm.update(made, { ...common, power: "stopped" });
    expect(updated.warnings?.[0]?.detail).toContain("within 540s");
  });
});

describe("settings that contradict each other", () => {
  test.each([
    [{ shutdown: { timeout: "0s", force: false } }, "No way to stop"],
    [{ shutdown: { timeout: "30m" } }, "More time than the operation has"],
    [{ destroy: { grace: "10m" } }, "More time than the operation has"],
    [{ placement: "enforce" }, "Node needed"],
  ] as [Given, string][])("are refused: %j", async (given, message) => {
    await expect(bench.vm.validate({ ...newVm(), ...given })).rejects.toThrow(message);
  });

  test("are none where the operation has more time too", async () => {
    const given = { shutdown: { timeout: "30m" }, timeouts: { update: "1h", delete: "40m" } };
    expect(await bench.vm.validate({ ...newVm(), ...given })).toEqual([]);
  });
});

describe("a VM that others have moved", () => {
  const move = async (vmid: number) => {
    bench.simulator.faults.order({ do: "move_vm", vmid, node: "pve2" });
    await bench.configure();
  };

  test("is moved back where its place is to be kept, and the plan says so", async () => {
    const common = { ...newVm(), node: "pve1", placement: "enforce" };
    const made = await bench.vm.create(common);
    await move(common.vmid);
    const plan = await bench.vm.plan(await bench.vm.refresh(made), common);
    expect(plan.warnings[0]).toMatchObject({ summary: "The VM will be moved back" });
    await bench.vm.expectSettled(await bench.vm.apply(plan, common), common);
    expect(bench.guest(common.vmid).node).toBe("pve1");
  });

  test("stays while its node is offline", async () => {
    const common = { ...newVm(), node: "pve3", placement: "enforce" };
    const made = await bench.vm.create(common);
    await move(common.vmid);
    const node = bench.simulator.sim.world.nodes["pve3"];
    if (!node) throw new Error("no such node");
    node.online = false;
    await bench.configure();
    try {
      const plan = await bench.vm.plan(await bench.vm.refresh(made), { ...common, tags: ["x"] });
      expect(plan.warnings.map(({ summary }) => summary)).toContain("The VM stays where it is");
      expect((plan.planned as Record<string, unknown>)["node"]).toBe("pve2");
    } finally {
      node.online = true;
      await bench.configure();
    }
  });

  test("is followed otherwise", async () => {
    const common = { ...newVm(), node: "pve1", placement: "follow" };
    const made = await bench.vm.create(common);
    await move(common.vmid);
    expect((await bench.vm.plan(await bench.vm.refresh(made), common)).action).toBe("no-op");
  });

  test("and that HA manages is moved by its manager, which the plan says", async () => {
    const common = { ...newVm(), node: "pve1", placement: "enforce", ha: {} };
    const made = await bench.vm.create(common);
    await move(common.vmid);
    const plan = await bench.vm.plan(await bench.vm.refresh(made), common);
    expect(plan.warnings[0]?.detail).toContain("HA manages it");
  });
});
