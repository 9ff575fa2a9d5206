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
    ["arguments for QEMU", { args: "-foo" }, "Reserved for root@pam"],
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
    const refused = await bench.vm.plan(null, { name: "poor", clone, ...config }).catch(String);
    expect(refused).toMatch(message);
    expect(refused, "a destroy may lack it, too").not.toContain("terraform destroy");
    list.push(privilege);
  });
});

test("what many resources lack is one error with a count, and none of them can be applied", async () => {
  const list = (bench.simulator.sim.world.access.roles["Provisioner"] ?? []) as string[];
  list.splice(list.indexOf("VM.Clone"), 1);
  await bench.configure();
  const config = (index: number) => ({ name: `many-${index}`, clone });
  const pool = bench.resource("proxmox_pool").plan(null, { id: "many" });
  const vms = Array.from({ length: 40 }, (_, index) => bench.vm.plan(null, config(index)));
  const outcomes = await Promise.allSettled([pool, ...vms]);
  const errors = outcomes.flatMap((outcome) => (outcome.status === "rejected" ? [String(outcome.reason)] : []));
  expect(errors).toHaveLength(1);
  expect(errors[0]).toMatch(
    /\/pool\/many: Pool\.Allocate.*\/vms\/9001: VM\.Clone.*includes what 40 more resources need/s,
  );
  // Those that come later lack nothing else.
  const late = await Promise.all([40, 41].map(async (index) => bench.vm.plan(null, config(index))));
  const applied = await Promise.allSettled(late.map((plan, index) => bench.vm.apply(plan, config(40 + index))));
  const refused = applied.map((outcome) => (outcome.status === "rejected" ? String(outcome.reason) : "applied")).sort();
  expect(refused[0]).toMatch(/ApplyResourceChange: Privileges missing: Another error of this run/);
  expect(refused[1]).toMatch(/PlanResourceChange: Privileges missing.*VM\.Clone/s);
  await expect(bench.vm.plan(null, { ...config(42), ha: {} })).rejects.toThrow(/\/: Sys\.Console/);
  list.push("VM.Clone");
});

test("what many resources lack only when Terraform plans again before the apply is an error of each", async () => {
  const configs = [0, 1, 2].map((index) => ({ name: `revoked-${index}`, clone }));
  await bench.configure();
  await Promise.all(configs.map((config) => bench.vm.plan(null, config)));
  const list = (bench.simulator.sim.world.access.roles["Provisioner"] ?? []) as string[];
  list.splice(list.indexOf("VM.Clone"), 1);
  await bench.configure();
  const outcomes = await Promise.allSettled(configs.map((config) => bench.vm.plan(null, config)));
  list.push("VM.Clone");
  const errors = outcomes.map((outcome) => (outcome.status === "rejected" ? String(outcome.reason) : "planned"));
  expect(errors.filter((error) => error.includes("VM.Clone"))).toHaveLength(1);
  expect(errors.filter((error) => error.includes("Another error of this run lists"))).toHaveLength(2);
});

test("a token without any privilege is one error of the whole run, before any resource is planned", async () => {
  const refused = bench.configure("noacl@pve!tf");
  await expect(refused).rejects.toThrow(/No rights at all.*doctor role --user noacl@pve --token tf/s);
  await bench.configure("noacl@pve!tf", { permission_check: "off" });
  await bench.configure();
});
