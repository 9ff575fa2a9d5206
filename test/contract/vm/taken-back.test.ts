import { afterAll, beforeAll, expect, test } from "vitest";
import { attribute } from "../resource-bench.ts";
import { Bench } from "./suite.ts";

/** Changes that are taken back before the restart that they wait for. */
let bench: Bench;

beforeAll(async () => {
  bench = await Bench.open({ as: "root@pam" });
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
