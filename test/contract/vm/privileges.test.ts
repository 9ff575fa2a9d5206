import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { attribute } from "../resource-bench.ts";
import { Bench } from "./suite.ts";

let bench: Bench;

beforeAll(async () => {
  bench = await Bench.open({ as: "terraform@pve!tf" });
});

afterAll(() => bench.close());

const clone = { template: "debian-13-cloud" };

describe("a caller with the rights of a provisioner", () => {
  test("makes, changes and destroys a VM", async () => {
    const made = await bench.vm.create({ name: "least", clone, cpu: { cores: 3 }, cloud_init: { user: "ops" } });
    const changed = await bench.vm.update(made, {
      name: "least",
      clone,
      cpu: { cores: 4 },
      networks: { net0: { vlan: 7 } },
    });
    await bench.vm.destroy(changed);
    expect(bench.has(Number(attribute(made, "vmid")))).toBe(false);
  });

  test.each([
    ["arguments for QEMU", { args: "-foo" }, "Reserved to root@pam"],
    ["a device of the host", { pci: { hostpci0: { address: "0000:01:00.0" } } }, "Use a resource mapping"],
  ])("reads in the plan that %s are reserved", async (_, config, message) => {
    await expect(bench.vm.plan(null, { name: "reserved", clone, ...config })).rejects.toThrow(message);
  });

  test.each([
    ["VM.Config.CPU", { cpu: { cores: 3 } }, /\/vms: VM.Config.CPU \(for `cpu.cores`\)/],
    ["VM.Clone", {}, /\/vms\/9001: VM.Clone \(for `clone.template`\)/],
    ["Datastore.AllocateSpace", {}, /\/storage\/ceph: Datastore.AllocateSpace \(for `clone`\)/],
  ])("reads in the plan that %s is missing", async (privilege, config, message) => {
    const list = (bench.simulator.sim.world.access.roles["Provisioner"] ?? []) as string[];
    const at = list.indexOf(privilege);
    expect(at).toBeGreaterThanOrEqual(0);
    list.splice(at, 1);
    await bench.restart();
    await expect(bench.vm.plan(null, { name: "poor", clone, ...config })).rejects.toThrow(message);
    list.push(privilege);
  });
});
