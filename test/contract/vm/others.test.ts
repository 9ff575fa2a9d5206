import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { attribute } from "../resource-bench.ts";
import { Bench } from "./suite.ts";

let bench: Bench;

beforeAll(async () => {
  bench = await Bench.open();
});

afterAll(() => bench.close());

const clone = { template: "debian-13-cloud" };
const config = (vmid: number, more: object = {}) => ({
  name: `shared-${vmid}`,
  vmid,
  node: "pve1",
  clone,
  power: "stopped",
  ...more,
});

describe("a VM that another user changes while an apply computes its change", () => {
  test("keeps that change, in the same line as the planned one", async () => {
    const made = await bench.vm.create(config(810, { networks: { net0: { vlan: 5 } } }));
    const next = config(810, { networks: { net0: { vlan: 7 } } });
    const plan = await bench.vm.plan(await bench.vm.refresh(made), next);
    const { config: lines } = bench.guest(810);
    const stop = bench.simulator.sim.log.subscribe(({ path }) => {
      if (!path.endsWith("/810/pending")) return;
      lines["net0"] += ",rate=5";
      stop();
    });
    await expect(bench.vm.apply(plan, next)).rejects.toThrow(
      /Changed by others after the plan.*The changes of this apply are done/s,
    );
    expect(bench.config(810)["net0"]).toMatch(/,rate=5/);
    expect(bench.config(810)["net0"]).toMatch(/,tag=7/);
  });
});

describe("a VMID that belongs to another VM by now", () => {
  const stranger = {
    smbios1: "uuid=22222222-2222-4222-8222-222222222222",
    vmgenid: "11111111-1111-4111-8111-111111111111",
  };

  test("is not destroyed, nor is it stopped", async () => {
    const made = await bench.vm.create(config(811, { power: "running" }));
    Object.assign(bench.guest(811).config, stranger, { name: "stranger" });
    await bench.configure();
    const volumes = bench.volumes(811);
    await bench.vm.destroy(made);
    expect(bench.config(811)["name"]).toBe("stranger");
    expect(bench.guest(811).run).toBeDefined();
    expect(bench.volumes(811)).toEqual(volumes);
    expect(attribute(made, "vmid")).toBe(811);
  });

  test.each(Object.keys(stranger))("is ours as long as only its %s differs", async (option) => {
    const made = await bench.vm.create(config(812));
    bench.guest(812).config[option] = stranger[option as keyof typeof stranger];
    await bench.configure();
    await bench.vm.destroy(made);
    expect(bench.has(812)).toBe(false);
  });
});

test("a volume that its storage does not have refuses a plan that needs it, and no other", async () => {
  const config = { name: "lost", clone: { template: "ubuntu-24.04-cloud" }, power: "stopped" };
  const made = await bench.vm.create(config);
  const { world } = bench.simulator.sim;
  const own = (volid: string) => volid.includes(`vm-${attribute(made, "vmid")}-disk-0`);
  world.volumes = world.volumes.filter(({ volid }) => !own(volid));
  await bench.configure();
  const now = await bench.vm.refresh(made);
  const plan = (more: object) => bench.vm.plan(now, { ...config, ...more });
  expect((await plan({ description: "new" })).action).toBe("update");
  await expect(plan({ power: "running" })).rejects.toThrow(/No such volume.*vm-\d+-disk-0/);
  await bench.configure();
  await expect(plan({ disks: { scsi0: { size: "20G" } } })).rejects.toThrow(/No such volume.*vm-\d+-disk-0/);
  await bench.configure();
  await bench.vm.destroy(now);
});
