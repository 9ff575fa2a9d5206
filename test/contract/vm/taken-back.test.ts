import { afterAll, beforeAll, expect, test } from "vitest";
import { defaultSeed } from "#simulator";
import { attribute } from "../resource-bench.ts";
import { askAsOther, Bench } from "./suite.ts";

/** Changes that are taken back before the restart that they wait for. */
let bench: Bench;

beforeAll(async () => {
  bench = await Bench.open({
    as: "root@pam",
    seed: { ...(defaultSeed() as object), iso_files: ["local:iso/rescue.iso"] },
  });
});

afterAll(() => bench.close());

const fixed = (name: string) => ({ name, clone: { template: "debian-13-cloud" } });
const vmidOf = (vm: Parameters<typeof attribute>[0]) => Number(attribute(vm, "vmid"));

test("an option whose removal is pending is sent again when it is configured again, though PVE shows its 0", async () => {
  const config = fixed("removed-zero");
  const made = await bench.vm.create({ ...config, acpi: false });
  const without = await bench.vm.update(made, config);
  expect(bench.guest(vmidOf(made)).pending.delete).toEqual({ acpi: 1 });
  expect(attribute(without, "acpi")).toBeNull();
  const again = await bench.vm.update(without, { ...config, acpi: false });
  expect(bench.guest(vmidOf(made)).pending.delete).toEqual({});
  expect(attribute(again, "pending")).toEqual([]);
  await bench.vm.destroy(again);
});

test.each([true, false])("so is one whose removal another user has left pending (running: %s)", async (isRunning) => {
  const power = isRunning ? "running" : "stopped";
  const config = { ...fixed(`removed-by-others-${power}`), power, acpi: false };
  const made = await bench.vm.create(config);
  bench.guest(vmidOf(made)).pending.delete["acpi"] = 1;
  const changed = await bench.vm.update(await bench.vm.refresh(made), { ...config, tags: ["web"] });
  expect(bench.config(vmidOf(made))["acpi"]).toBe("0");
  expect(attribute(changed, "acpi")).toBe(false);
  await bench.vm.destroy(changed);
});

test("a volume whose removal is pending is attached again without a pending change", async () => {
  const config = fixed("returning-tpm");
  const disks = { sata2: { storage: "local-zfs", size: "3G" } };
  const made = await bench.vm.create({ ...config, disks, tpm_state: { storage: "local-zfs", version: "v2.0" } });
  const without = await bench.vm.update(made, config);
  expect(attribute(without, "pending")).toEqual(["sata2", "tpmstate0"]);
  const again = await bench.vm.update(without, { ...config, tpm_state: { version: "v2.0" } });
  expect(attribute(again, "pending")).toEqual(["sata2"]);
  await bench.vm.destroy(again);
});

test("a disk whose line waits for a start that never came is moved, and keeps its settings", async () => {
  const config = fixed("stopped-within");
  const made = await bench.vm.create({
    ...config,
    disks: { scsi1: { storage: "local-lvm", size: "1G", vendor: "a" } },
  });
  const waiting = { ...config, disks: { scsi1: { storage: "local-lvm", size: "1G", vendor: "b" } } };
  const changed = await bench.vm.update(made, waiting);
  expect(attribute(changed, "pending")).toEqual(["scsi1"]);
  bench.guest(vmidOf(made)).run = undefined;
  await bench.configure();
  const elsewhere = { ...config, disks: { scsi1: { storage: "local-zfs", size: "1G", vendor: "c" } } };
  const moved = await bench.vm.update(await bench.vm.refresh(changed), elsewhere);
  expect(bench.config(vmidOf(made))["scsi1"]).toMatch(/^local-zfs:.*vendor=c/);
  expect(bench.guest(vmidOf(made)).pending.set).toEqual({});
  await bench.vm.destroy(moved);
});

test("a new volume that waits for a slot that leaves again does not outlive the VM", async () => {
  const config = fixed("exchanged-tpm");
  const made = await bench.vm.create({ ...config, tpm_state: { storage: "local-lvm" } });
  const without = await bench.vm.update(made, config);
  const other = await bench.vm.update(without, { ...config, tpm_state: { storage: "local-zfs" } });
  const gone = await bench.vm.update(other, config);
  expect(Object.values(attribute(gone, "unused_disks") as object)).toEqual([expect.stringMatching(/^local-zfs:/)]);
  await bench.vm.destroy(gone);
  expect(bench.volumes(vmidOf(made))).toEqual([]);
});

test("the slot of a cloud-init drive that was not there before stays while cloud_init does", async () => {
  const config = { ...fixed("slot-stays"), clone: { template: "talos-1.11" } };
  const cdroms = { ide2: { file: "none" } };
  const made = await bench.vm.create({ ...config, cdroms });
  const moved = await bench.vm.update(made, { ...config, cloud_init: { slot: "ide0" } });
  const open = await bench.vm.update(moved, { ...config, cloud_init: {} });
  expect(attribute(open, "cloud_init", "slot")).toBe("ide0");
  const plain = await bench.vm.update(open, config);
  expect(bench.config(vmidOf(made))["ide0"]).toBeUndefined();
  await bench.vm.destroy(plain);
});

test("a template with cloud-init settings and without a drive has none after an update", async () => {
  bench.guest(9002).config["ciuser"] = "admin";
  delete bench.guest(9002).config["ide2"];
  const config = { ...fixed("driveless"), clone: { template: "talos-1.11" } };
  const made = await bench.vm.create(config);
  const changed = await bench.vm.update(made, { ...config, tags: ["web"] });
  expect(attribute(changed, "cloud_init", "slot")).toBeNull();
  expect(attribute(changed, "cloud_init", "user")).toBe("admin");
  await bench.vm.destroy(changed);
});

test.each([
  ["user", { user: "ops" }],
  ["slot", { slot: "ide0" }],
  ["text", { user_data: "#cloud-config\n" }],
])(
  "a cloud_init block (%s) over a template with settings and without a drive takes its drive along",
  async (_, block) => {
    bench.guest(9002).config["ciuser"] = "admin";
    delete bench.guest(9002).config["ide2"];
    const config = { ...fixed("drive-leaves"), clone: { template: "talos-1.11" }, power: "stopped" };
    const made = await bench.vm.create({ ...config, cloud_init: block });
    expect(attribute(made, "cloud_init", "slot")).toMatch(/^ide/);
    const bare = await bench.vm.update(made, config);
    expect(attribute(bare, "cloud_init")).toMatchObject({ slot: null, storage: null, user: "admin" });
    expect(Object.keys(bench.config(vmidOf(made))).filter((option) => /^ide/.test(option))).toEqual([]);
    await bench.vm.destroy(bare);
  },
);

test("a value whose removal is pending is not what a new argument goes back to", async () => {
  const config = fixed("original-removed");
  const made = await bench.vm.create({ ...config, allow_reboot: false });
  const without = await bench.vm.update(made, config);
  const again = await bench.vm.update(without, { ...config, allow_reboot: true });
  const bare = await bench.vm.update(again, config);
  expect(bench.config(vmidOf(made))["reboot"]).toBeUndefined();
  await bench.vm.destroy(bare);
});

test("a pending boot order is kept when a drive of the present one leaves", async () => {
  const config = { ...fixed("pending-order"), cdroms: { ide0: { file: "none" } } };
  const made = await bench.vm.create({ ...config, boot_order: ["scsi0", "ide0"] });
  const ordered = await bench.vm.update(made, { ...config, boot_order: ["scsi0", "net0"] });
  const { cdroms: _, ...rest } = config;
  const changed = await bench.vm.update(ordered, { ...rest, boot_order: ["scsi0", "net0"] });
  expect(bench.config(vmidOf(made))["boot"]).toBe("order=scsi0;net0");
  await bench.vm.destroy(changed);
});

test("a slot that is deleted after hotplug was switched on is not planned as pending", async () => {
  const config = fixed("deleted-live");
  const scsi3 = { storage: "ceph", size: "1G", on_remove: "delete" };
  const made = await bench.vm.create({ ...config, hotplug: ["usb"], disks: { scsi3 } });
  const changed = await bench.vm.update(made, { ...config, tablet: false });
  expect(bench.config(vmidOf(made))["scsi3"]).toBeUndefined();
  expect(attribute(changed, "pending")).not.toContain("scsi3");
  await bench.vm.destroy(changed);
});

test("the image that was kept for a snapshot is removed with the VM", async () => {
  const config = fixed("image-of-snapshot");
  const made = await bench.vm.create({ ...config, cloud_init: { user_data: "#cloud-config\n" } });
  const guest = bench.guest(vmidOf(made));
  guest.snapshots["before"] = { ...guest.config, snaptime: "1767225600" };
  guest.config["parent"] = "before";
  const without = await bench.vm.update(made, config);
  const images = () =>
    bench.simulator.sim.world.volumes.filter(({ volid }) => volid.includes(`cloud-init-${vmidOf(made)}-`));
  expect(images()).toHaveLength(1);
  await bench.vm.destroy(without);
  expect(images()).toEqual([]);
});

test.each([
  ["an image", { cloud_init: { user_data: "#cloud-config\n" } }],
  ["another drive", { cloud_init: {} }],
  ["a drive on another storage", { cloud_init: { storage: "nas" } }],
  ["a disc", { cdroms: { ide2: { file: "local:iso/rescue.iso" } } }],
])("a cloud-init drive whose removal is pending does not outlive its VM when %s takes its slot", async (_, more) => {
  const config = fixed("left-drive");
  const made = await bench.vm.create(config);
  const vmid = vmidOf(made);
  await askAsOther(bench, "PUT", `/nodes/${bench.guest(vmid).node}/qemu/${vmid}/config`, { delete: "ide2" });
  expect(bench.guest(vmid).pending.delete).toHaveProperty("ide2");
  const changed = await bench.vm.update(await bench.vm.refresh(made), { ...config, ...more });
  expect(bench.config(vmid)["ide2"]).toMatch(/iso|cloudinit/);
  await bench.vm.destroy(changed);
  expect(bench.volumes(vmid)).toEqual([]);
});

test("a disk that goes back to its template's storage is refused while a snapshot needs it", async () => {
  const config = fixed("back-with-snapshot");
  const made = await bench.vm.create({ ...config, disks: { scsi0: { storage: "local-zfs" } } });
  const changed = { ...config, before_change: { snapshot: true } };
  await expect(bench.vm.plan(made, changed)).rejects.toThrow(/`scsi0`.*cannot be moved while a snapshot needs it/);
  await bench.configure();
  const back = await bench.vm.update(made, config);
  expect(bench.config(vmidOf(made))["scsi0"]).not.toMatch(/^local-zfs/);
  await bench.vm.destroy(back);
});

test("a cloud_init block with an image on a local storage leaves together with a move to another node", async () => {
  const config = fixed("text-leaves-moving");
  const made = await bench.vm.create({
    ...config,
    cloud_init: { user_data: "#cloud-config\n", data_storage: "local" },
  });
  const target = bench.guest(vmidOf(made)).node === "pve2" ? "pve3" : "pve2";
  const moved = await bench.vm.update(made, { ...config, node: target });
  expect(attribute(moved, "cloud_init", "slot")).toBe("ide2");
  expect(bench.config(vmidOf(made))["ide0"]).toBeUndefined();
  await bench.vm.destroy(moved);
});

test("the image of a write-only text is removed though another user has replaced it in its drive", async () => {
  const config = fixed("displaced-image");
  const made = await bench.vm.create({ ...config, cloud_init: { user_data_wo: "#cloud-config\n" } });
  const vmid = vmidOf(made);
  const images = () => bench.simulator.sim.world.volumes.filter(({ volid }) => volid.includes(`cloud-init-${vmid}-`));
  expect(images()).toHaveLength(1);
  const slot =
    Object.keys(bench.config(vmid)).find((option) => bench.config(vmid)[option]?.includes("cloud-init-")) ?? "";
  bench.guest(vmid).config[slot] = "none,media=cdrom";
  await bench.configure();
  const without = await bench.vm.update(await bench.vm.refresh(made), { ...config, tags: ["a"] });
  expect(images()).toEqual([]);
  await bench.vm.destroy(without);
});
