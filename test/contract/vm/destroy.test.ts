import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { attribute } from "../resource-bench.ts";
import { Bench } from "./suite.ts";

let bench: Bench;

beforeAll(async () => {
  bench = await Bench.open();
});

afterAll(() => bench.close());

const clone = { template: "ubuntu-24.04-cloud" };

describe("destroying", () => {
  test("a running VM leaves nothing of it, and nothing else is touched", async () => {
    const before = bench.vmids();
    const made = await bench.vm.create({
      name: "doomed",
      vmid: 801,
      clone,
      disks: { scsi1: { storage: "nas", size: "1G" } },
    });
    await bench.vm.destroy(made);
    expect(bench.vmids()).toEqual(before);
    expect(bench.volumes(801)).toEqual([]);
  });

  test("a VM that ignores its shutdown stops it after the grace", async () => {
    const made = await bench.vm.create({ name: "deaf", vmid: 802, clone, destroy: { grace: "5s" } });
    bench.guest(802).behaviour.acpi = false;
    bench.guest(802).behaviour.agent = false;
    await bench.vm.destroy(made);
    expect(bench.has(802)).toBe(false);
  });

  test("a protected VM is refused in the plan, before anything is touched", async () => {
    const made = await bench.vm.create({ name: "safe", vmid: 803, clone, protection: true });
    await expect(bench.vm.destroy(made)).rejects.toThrow("VM is protected");
    expect(bench.guest(803).run).toBeDefined();
    const open = await bench.vm.update(made, { name: "safe", vmid: 803, clone, protection: false });
    await bench.vm.destroy(open);
  });

  test("a VM that was protected by another client meanwhile is refused before it is stopped", async () => {
    const made = await bench.vm.create({ name: "safe-now", vmid: 804, clone });
    bench.guest(804).config["protection"] = "1";
    await expect(bench.vm.destroy(made)).rejects.toThrow("Nothing was changed");
    expect(bench.guest(804).run).toBeDefined();
  });

  test("a VM that is gone already is no failure", async () => {
    const made = await bench.vm.create({ name: "gone", vmid: 805, clone });
    delete bench.simulator.sim.world.guests[805];
    await bench.vm.destroy(made);
  });

  test("a VM that PVE leaves half destroyed says how to remove the rest, and the next destroy removes it", async () => {
    const made = await bench.vm.create({ name: "half", vmid: 809, clone, power: "stopped" });
    const release = bench.simulator.sim.locks.tryAcquire("file-user_cfg", false);
    await expect(bench.vm.destroy(made)).rejects.toThrow(/half destroyed.*`qm unlock 809`/);
    release?.();
    expect(bench.guest(809).config).toEqual({ lock: "destroyed" });
    await bench.configure();
    await expect(bench.vm.destroy(made)).rejects.toThrow(/half destroyed/);
    bench.guest(809).config = {};
    await bench.configure();
    await bench.vm.destroy(made);
    expect(bench.has(809)).toBe(false);
  });

  test("a VM whose storage refuses tries the volume again", async () => {
    const made = await bench.vm.create({ name: "sticky", vmid: 806, clone, power: "stopped" });
    bench.simulator.faults.order({ do: "refuse_delete", storage: "local-lvm", times: 1 });
    await bench.vm.destroy(made);
    expect(bench.has(806)).toBe(false);
    expect(bench.volumes(806)).toEqual([]);
  });

  test("a VM with disks that were detached and kept names them in the plan, also when it is replaced", async () => {
    const config = { name: "detached", vmid: 808, clone, power: "stopped" };
    const made = await bench.vm.create({ ...config, disks: { scsi3: { storage: "local-lvm", size: "1G" } } });
    expect((await bench.vm.planDestroy(made)).warnings).toEqual([]);
    const now = await bench.vm.update(made, config);
    const [volume] = Object.values(attribute(now, "unused_disks") as Record<string, string>);
    const warning = {
      summary: "Detached disks are destroyed, too",
      detail: expect.stringContaining(`were detached and kept: \`${volume}\``),
    };
    expect((await bench.vm.planDestroy(now)).warnings).toMatchObject([warning]);
    await bench.configure();
    const plan = await bench.vm.plan(now, { ...config, vmid: 809 });
    expect(plan.action).toBe("replace");
    expect(plan.warnings).toContainEqual(expect.objectContaining(warning));
    await bench.vm.destroy(now);
  });

  test("keeps volumes of the VMID that no setting names, unless they are to be removed too", async () => {
    const made = await bench.vm.create({ name: "messy", vmid: 807, clone, power: "stopped" });
    const { volumes } = bench.simulator.sim.world;
    const [own] = volumes.filter(({ vmid }) => vmid === 807);
    if (own) volumes.push({ ...own, volid: "local-lvm:vm-807-disk-77" });
    await bench.vm.destroy(made);
    expect(bench.volumes(807)).toEqual(["local-lvm:vm-807-disk-77"]);
    expect(attribute(made, "vmid")).toBe(807);
  });
});

describe("what a destroyed VM has left", () => {
  test.each([
    [821, "a clone", { clone }],
    [822, "a clone to a storage of files", { clone: { ...clone, storage: "nas" } }],
    [823, "a VM of its own", { node: "pve1", cloud_init: { storage: "local-lvm", user: "ops" } }],
  ])("is not in the way of VM %i, %s", async (vmid, _, config) => {
    await bench.vm.create({ name: "before", vmid, power: "stopped", ...config });
    delete bench.simulator.sim.world.guests[vmid];
    const left = bench.volumes(vmid);
    expect(left.filter((volume) => volume.includes("cloudinit"))).toHaveLength(1);
    const made = await bench.vm.create({ name: "after", vmid, power: "stopped", ...config });
    // Disks may hold data; the new one has other names.
    expect(bench.volumes(vmid)).toEqual(expect.arrayContaining(left));
    await bench.vm.destroy(made);
    expect(bench.volumes(vmid)).toEqual(left.filter((volume) => !volume.includes("cloudinit")));
  });
});
