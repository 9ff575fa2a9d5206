import { afterAll, beforeAll, expect, test } from "vitest";
import { attribute } from "../resource-bench.ts";
import { askAsOther, Bench } from "./suite.ts";

let bench: Bench;

beforeAll(async () => {
  bench = await Bench.open();
});
afterAll(() => bench.close());

const clone = { template: "ubuntu-24.04-cloud" };

/** A VM that another user has cloned and changed. */
async function byHand(vmid: number, name: string, full: "0" | "1" = "1") {
  await askAsOther(bench, "POST", "/nodes/pve1/qemu/9000/clone", { newid: String(vmid), name, full });
  const change = { memory: "3072", cores: "5", description: "by hand", tags: "hand", onboot: "1" };
  await askAsOther(bench, "PUT", `/nodes/pve1/qemu/${vmid}/config`, change);
  await bench.restart();
}

test("an adopted VM keeps what is not written, with its power, and no line of it goes back to the template", async () => {
  await byHand(680, "by-hand");
  await askAsOther(bench, "POST", "/nodes/pve1/qemu/680/status/start", {});
  const config = { name: "by-hand", clone, on_existing: "adopt", cpu: { cores: 3 } };
  const before = bench.config(680);
  const plan = await bench.vm.plan(null, config);
  expect(plan.warnings.map(({ detail }) => detail).join()).toContain('VM 680 on pve1 is named "by-hand"');
  const adopted = await bench.vm.apply(plan, config);
  expect(bench.config(680)).toEqual({ ...before, cores: "3" });
  expect(attribute(adopted, "status")).toBe("running");
  await bench.restart();
  const kept = await bench.vm.refresh(adopted);
  expect((await bench.vm.plan(kept, config)).action).toBe("no-op");
  const undone = { name: "by-hand", clone, on_existing: "adopt" };
  const again = await bench.vm.update(kept, undone);
  expect(bench.config(680)["cores"]).toBe("5");
  await bench.vm.destroy(again);
});

test("a disk that would have to be moved or grown, or text for cloud-init, keeps a VM from being adopted", async () => {
  await byHand(681, "differs");
  const refused = async (more: object) =>
    bench.vm.plan(null, { name: "differs", clone, on_existing: "adopt", ...more }).catch((reason: unknown) => reason);
  expect(String(await refused({ disks: { scsi0: { size: "100G" } } }))).toMatch(/VM 681 cannot be adopted/);
  expect(String(await refused({ disks: { scsi0: { storage: "nas" } } }))).toMatch(/`scsi0`.*is to be on nas/s);
  expect(String(await refused({ cloud_init: { user_data: "#cloud-config\n" } }))).toMatch(/is to have another volume/);
  expect(String(await refused({ vmid: 682 }))).toMatch(/Name taken/);
});

test("a linked clone of another template is not adopted", async () => {
  await byHand(683, "linked");
  Object.assign(bench.guest(683).config, { scsi0: "local-zfs:base-9009-disk-0/vm-683-disk-0,size=4G" });
  await bench.restart();
  const plan = bench.vm.plan(null, { name: "linked", clone, on_existing: "adopt" });
  await expect(plan).rejects.toThrow(/VM 683 cannot be adopted.*it is a linked clone of VM 9009.*id = "683"/s);
});

/** Terraform plans again before it applies: the first two looks at the VM are that plan's, the next one is the apply's. */
test.each([
  ["since the plan", 684, 2, /VM 684 has changed since the plan/],
  ["while it is adopted", 685, 3, /VM 685 on pve1 was not taken over/],
])("a VM that another user changes %s is left alone", async (_, vmid, look, message) => {
  const name = `moving-${vmid}`;
  await byHand(vmid, name);
  const config = { name, clone, on_existing: "adopt", cpu: { cores: 3 }, networks: { net0: { vlan: 7 } } };
  const plan = await bench.vm.plan(null, config);
  let looks = 0;
  const stop = bench.simulator.sim.log.subscribe(({ method, path }) => {
    if (method !== "GET" || !path.endsWith(`/${vmid}/config`) || ++looks !== look) return;
    bench.guest(vmid).config["memory"] = "4096";
    stop();
  });
  const before = { ...bench.config(vmid), memory: "4096" };
  const refused = bench.vm.apply(plan, config);
  await expect(refused).rejects.toThrow(message);
  await expect(refused).rejects.toMatchObject({ remains: null });
  expect(bench.config(vmid)).toEqual(before);
});
