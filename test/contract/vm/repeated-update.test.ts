import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { attribute } from "../resource-bench.ts";
import { Bench } from "./suite.ts";

let bench: Bench;

beforeAll(async () => {
  bench = await Bench.open();
});

afterEach(() => bench.simulator.faults.clear());

afterAll(() => bench.close());

const config = (vmid: number, more: object = {}) => ({
  name: `again-${vmid}`,
  vmid,
  clone: { template: "debian-13-cloud" },
  power: "stopped",
  ...more,
});

test("an HA resource that a run that was cut off has made is taken up", async () => {
  const made = await bench.vm.create(config(881));
  bench.simulator.sim.world.ha.resources["vm:881"] = { type: "vm", options: { state: "stopped" } };
  const managed = await bench.vm.update(made, config(881, { ha: { max_restart: 3 } }));
  expect(attribute(managed, "ha", "max_restart")).toBe(3);
  await bench.vm.destroy(managed);
});

test("a slot that was inherited, then configured, then left out is inherited no more", async () => {
  const made = await bench.vm.create(config(882));
  expect(attribute(made, "inherited")).toContain("net0");
  const named = await bench.vm.update(made, config(882, { networks: { net0: { vlan: 7 } } }));
  const bare = await bench.vm.update(named, config(882, { networks: {} }));
  expect(attribute(bare, "inherited")).not.toContain("net0");
});

test("a VM that was moved between plan and apply is changed where it is", async () => {
  const made = await bench.vm.create(config(883));
  const next = config(883, { cpu: { cores: 5 } });
  const plan = await bench.vm.plan(made, next);
  bench.simulator.faults.order({ do: "move_vm", vmid: 883, node: "pve3" });
  await bench.restart();
  await bench.vm.apply(plan, next).catch((reason: unknown) => expect(String(reason)).not.toContain("breaks the rule"));
  expect(bench.guest(883).node).toBe("pve3");
});
