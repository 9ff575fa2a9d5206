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

test("an HA resource that an interrupted run has created is taken up", async () => {
  const made = await bench.vm.create(config(881));
  bench.simulator.sim.world.ha.resources["vm:881"] = { type: "vm", options: { state: "stopped" } };
  const managed = await bench.vm.update(made, config(881, { ha: { max_restart: 3 } }));
  expect(attribute(managed, "ha", "max_restart")).toBe(3);
  await bench.vm.destroy(managed);
});

test("a slot that was inherited, then configured, then left out is inherited again", async () => {
  const made = await bench.vm.create(config(882));
  expect(attribute(made, "inherited")).toContain("net0");
  const named = await bench.vm.update(made, config(882, { networks: { net0: { vlan: 7 } } }));
  const bare = await bench.vm.update(named, config(882, { networks: {} }));
  expect(attribute(bare, "inherited")).toContain("net0");
  expect(bench.config(882)["net0"]).toBeDefined();
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

const text = "#cloud-config\nusers: [ops]\n";
const images = (vmid: number) =>
  bench.simulator.sim.world.volumes.flatMap(({ volid, node }) =>
    volid.includes(`:iso/cloud-init-${vmid}-`) ? [`${volid.split(":")[0]} on ${node}`] : [],
  );

test("a drive that was emptied before PVE's own could take its place is filled", async () => {
  const made = await bench.vm.create(config(884, { cloud_init: { user_data: text } }));
  bench.guest(884).config["ide2"] = "none,media=cdrom";
  await bench.restart();
  const changed = await bench.vm.update(await bench.vm.refresh(made), config(884, { cloud_init: { user: "ops" } }));
  expect(bench.config(884)[String(attribute(changed, "cloud_init", "slot"))]).toContain("cloudinit");
  expect(images(884)).toEqual([]);
});

test("a VM that was moved without the image in its drive gets another one, and keeps none where it was", async () => {
  const wanted = config(885, { cloud_init: { user_data: text, data_storage: "local" } });
  const made = await bench.vm.create({ ...wanted, node: "pve1" });
  bench.simulator.faults.order({ do: "move_vm", vmid: 885, node: "pve3" });
  await bench.restart();
  await bench.vm.update(await bench.vm.refresh(made), { ...wanted, power: "running" });
  expect(bench.guest(885).run).toBeDefined();
  expect(images(885)).toEqual(["local on pve3"]);
});

test("an image that is left of an emptied drive goes with its VM", async () => {
  const made = await bench.vm.create(config(886, { cloud_init: { user_data: text } }));
  bench.guest(886).config["ide2"] = "none,media=cdrom";
  await bench.restart();
  await bench.vm.destroy(await bench.vm.refresh(made));
  expect(images(886)).toEqual([]);
});

test("a disk that waits for a restart to leave is foreseen among the unused ones", async () => {
  const disks = { scsi0: {}, scsi1: { storage: "local-lvm", size: "2G" } };
  const made = await bench.vm.create(config(887, { power: "running", disks }));
  bench.guest(887).pending.delete["scsi1"] = 1;
  await bench.restart();
  const rest = { power: "running", disks: { scsi0: {} }, restart_policy: "when_needed", cpu: { cores: 3 } };
  const changed = await bench.vm.update(await bench.vm.refresh(made), config(887, rest));
  expect(Object.values(attribute(changed, "unused_disks") as object)).toEqual(["local-lvm:vm-887-disk-0"]);
});

test("HA that may not be read any more is shown as it was asked for", async () => {
  const call = "POST /cluster/ha/resources";
  bench.simulator.faults.order({ do: "revoke", privilege: "Sys.Audit", call });
  const made = await bench.vm.create(config(888, { ha: { max_restart: 3 } }));
  expect(attribute(made, "ha")).toMatchObject({ state: "stopped", max_restart: 3 });
});

test("text that comes while the disk to boot from leaves stays out of the boot order", async () => {
  const running = { power: "running", restart_policy: "when_needed" };
  const made = await bench.vm.create(config(889, { ...running, disks: { scsi0: {} } }));
  const more = { ...running, disks: { scsi1: { storage: "ceph", size: "2G" } }, cloud_init: { user_data: text } };
  const changed = await bench.vm.update(made, config(889, more));
  expect(attribute(changed, "boot_order") ?? []).not.toContain("ide2");
});

test("a disk whose settings wait for a restart is moved with them", async () => {
  const [disk, running] = [
    { size: "2G", storage: "ceph" },
    { power: "running", restart_policy: "when_needed" },
  ];
  const made = await bench.vm.create(config(890, { ...running, disks: { sata2: disk } }));
  const { config: lines, pending } = bench.guest(890);
  pending.set["sata2"] = `${lines["sata2"]},serial=S1`;
  await bench.restart();
  const moved = { ...running, disks: { sata2: { ...disk, storage: "local-zfs", serial: "S1" } } };
  await bench.vm.update(await bench.vm.refresh(made), config(890, moved));
  expect(bench.config(890)["sata2"]).toMatch(/^local-zfs:vm-890-disk-\d,.*serial=S1/);
});

test("a VM that is resumed leaves its node without the image that is only there", async () => {
  const wanted = config(891, { node: "pve1", cloud_init: { user_data: text, data_storage: "local" } });
  const call = "PUT /nodes/{node}/qemu/{vmid}/config";
  bench.simulator.faults.order({ do: "reset", call, after: 1, nth: 2, times: 9 });
  await bench.vm.create(wanted).catch(() => undefined);
  bench.simulator.faults.clear();
  bench.simulator.faults.order({ do: "move_vm", vmid: 891, node: "pve3" });
  await bench.restart();
  await bench.vm.create(wanted);
  expect([bench.guest(891).node, images(891)]).toEqual(["pve1", ["local on pve1"]]);
});
