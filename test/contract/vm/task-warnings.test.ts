import { afterAll, beforeAll, expect, test } from "vitest";
import { invoke } from "./streams.ts";
import { Bench } from "./suite.ts";

let bench: Bench;

beforeAll(async () => {
  bench = await Bench.open();
});

afterAll(() => bench.close());

const summary = "Task completed with warnings";
const config = { name: "warned", vmid: 870, node: "pve1", bios: "ovmf" };

test("the apply shows warnings in the log of a task that has succeeded", async () => {
  const made = await bench.vm.create(config);
  const said = made.warnings?.filter((one) => one.summary === summary);
  expect(said).toMatchObject([
    { detail: expect.stringMatching(/VM "warned".*\n- no efidisk configured! .*\n.*UPID:pve1:.*:qmstart:870:/) },
  ]);
  const renamed = await bench.vm.update(made, { ...config, name: "renamed" });
  expect(renamed.warnings?.filter((one) => one.summary === summary)).toEqual([]);
  await bench.vm.destroy(renamed);
});

test("so does an action", async () => {
  const made = await bench.vm.create({ ...config, power: "stopped" });
  const { diagnostics } = await invoke(bench.provider, "proxmox_vm_start", { vmid: 870 });
  expect(diagnostics).toMatchObject([{ summary, detail: expect.stringContaining("no efidisk configured!") }]);
  await bench.vm.destroy(await bench.vm.refresh(made));
});

test.each(["ceph", "local-lvm", "nas"])("a volume that %s no longer has is not left behind", async (storage) => {
  const disks = { scsi0: { storage, size: "1G" } };
  const made = await bench.vm.create({ name: "lost", vmid: 872, node: "pve1", disks, power: "stopped" });
  const { world } = bench.simulator.sim;
  const removals = () => world.tasks.filter(({ type }) => type === "imgdel").length;
  const before = removals();
  world.volumes = world.volumes.filter(({ vmid }) => vmid !== 872) as typeof world.volumes;
  expect(await bench.vm.destroy(made)).toEqual([]);
  expect(bench.has(872)).toBe(false);
  expect(removals()).toBe(before);
});

test("a volume that could not be removed is reported once", async () => {
  const made = await bench.vm.create({
    name: "sticky",
    vmid: 871,
    clone: { template: "ubuntu-24.04-cloud" },
    power: "stopped",
  });
  bench.simulator.faults.order({ do: "refuse_delete", storage: "local-lvm", times: 20 });
  const warnings = await bench.vm.destroy(made);
  expect(warnings.map((one) => one.summary)).toEqual([
    "Volume local-lvm:vm-871-cloudinit is left behind",
    "Volume local-lvm:vm-871-disk-0 is left behind",
  ]);
});
