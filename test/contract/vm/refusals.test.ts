import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Instance, ProviderErrors } from "../../harness/index.ts";
import { attribute } from "../resource-bench.ts";
import { Bench, type Input } from "./suite.ts";

let bench: Bench;
let nextVmid = 600;

beforeAll(async () => {
  bench = await Bench.open();
});

afterAll(() => bench.close());

async function make(more: Record<string, Input>) {
  const vmid = nextVmid++;
  const config = { name: `r-${vmid}`, vmid, power: "stopped", clone: { template: "ubuntu-24.04-cloud" }, ...more };
  return { vmid, config, made: await bench.vm.create(config) };
}

/** What another person does to the VM, and a new run that sees it. */
async function meddle(vmid: number, made: Instance, change: (config: Record<string, string>) => void) {
  change(bench.guest(vmid).config);
  await bench.restart();
  const found = await bench.vm.find(made);
  if (found === null) throw new Error(`VM ${vmid} is gone`);
  return found;
}

const grow = (to: string) => (config: Record<string, string>) => {
  config["scsi0"] = (config["scsi0"] ?? "").replace(/size=\w+/, `size=${to}`);
};

const refused = (promise: Promise<unknown>) =>
  promise.then(
    () => expect.fail("it should have been refused"),
    (error: unknown) => (error as ProviderErrors).message,
  );

describe("a disk that was grown outside of Terraform", () => {
  test("is accepted: the plan says what to write, and changes nothing", async () => {
    const { vmid, config, made } = await make({ disks: { scsi0: { size: "10G" } } });
    const found = await meddle(vmid, made, grow("20G"));
    const plan = await bench.vm.plan(found, config);
    expect(plan.action).toBe("no-op");
    expect(plan.warnings).toMatchObject([
      { summary: "Disk has grown", detail: expect.stringMatching(/^disks\["scsi0"\]\.size: .*size = "20G"/) },
    ]);
  });

  test("does not keep anything else from being changed, before and after it was written down", async () => {
    const { vmid, config, made } = await make({ disks: { scsi0: { size: "10G" } } });
    const found = await meddle(vmid, made, grow("20G"));
    const updated = await bench.vm.update(found, { ...config, description: "changed" });
    expect(attribute(updated, "disks", "scsi0", "size")).toBe("20G");
    expect(bench.config(vmid)["description"]).toBe("changed");
    await bench.restart();
    await bench.vm.update(updated, { ...config, description: "again" });
    expect(bench.config(vmid)["scsi0"]).toContain("size=20G");
    await bench.vm.plan(updated, { ...config, description: "changed", disks: { scsi0: { size: "20G" } } });
  });

  test("is still no reason to accept a smaller size than it ever had", async () => {
    const { vmid, config, made } = await make({ disks: { scsi0: { size: "10G" } } });
    const found = await meddle(vmid, made, grow("20G"));
    const plan = bench.vm.plan(found, { ...config, disks: { scsi0: { size: "5G" } } });
    expect(await refused(plan)).toContain("Disks cannot shrink");
  });
});

test("a size that is made smaller in the configuration is refused, with the ways past it", async () => {
  const { config, made } = await make({ disks: { scsi0: { size: "10G" } } });
  const message = await refused(bench.vm.plan(made, { ...config, disks: { scsi0: { size: "5G" } } }));
  expect(message).toMatch(/Disks cannot shrink.*-target.*-refresh=false/s);
});

test("a bridge that has vanished is judged by the plan that connects a card to it, and by no other", async () => {
  const { vmid, config, made } = await make({ networks: { net0: { bridge: "vmbr0", model: "virtio" } } });
  const found = await meddle(vmid, made, (raw) => {
    raw["net0"] = (raw["net0"] ?? "").replace("vmbr0", "vmbr7");
  });
  const gone = { ...config, networks: { net0: { bridge: "vmbr7", model: "virtio" } } };
  await bench.vm.plan(found, gone);
  await bench.vm.plan(found, { ...gone, description: "changed" });
  const other = { ...gone, networks: { net0: { bridge: "vmbr8", model: "virtio" } } };
  const { warnings } = await bench.vm.plan(found, other);
  expect(JSON.stringify(warnings)).toMatch(/Bridge is not listed.*`vmbr8`/s);
});

test("a destroy is planned without any check of creation or change", async () => {
  const { vmid, made } = await make({ disks: { scsi0: { size: "10G" } }, networks: { net0: { bridge: "vmbr0" } } });
  const found = await meddle(vmid, made, (raw) => {
    grow("20G")(raw);
    raw["net0"] = (raw["net0"] ?? "").replace("vmbr0", "vmbr7");
  });
  await bench.vm.destroy(found);
  expect(bench.has(vmid)).toBe(false);
});

describe("a protected VM", () => {
  const disks = { scsi1: { storage: "local-lvm", size: "1G" } };
  const rows: [string, Record<string, Input>, Record<string, Input>, string][] = [
    ["a disk", { disks }, {}, "scsi1"],
    ["a disk that is deleted", { disks: { scsi1: { ...disks.scsi1, on_remove: "delete" } } }, {}, "scsi1"],
    ["a CD drive", { cdroms: { sata3: { file: "none" } } }, {}, "sata3"],
    ["the slot of its cloud-init drive", { cloud_init: { slot: "ide0" } }, { cloud_init: { slot: "ide1" } }, "ide0"],
  ];

  test.each(rows)("does not lose %s, unless the same plan ends its protection", async (_, before, after, slot) => {
    const { vmid, config, made } = await make({ ...before, protection: true });
    const { disks: _disks, cdroms: _cdroms, cloud_init: _drive, ...rest } = config as Record<string, Input>;
    const kept = { ...rest, ...after, protection: true };
    const message = await refused(bench.vm.plan(made, kept));
    expect(message).toContain(`\`${slot}\` would leave the VM`);
    expect(message, "a destroy is refused, too").not.toContain("terraform destroy");
    await expect(bench.vm.planDestroy(made)).rejects.toThrow(/is protected/);
    const freed = await bench.vm.update(made, { ...kept, protection: false });
    expect(bench.config(vmid)).not.toHaveProperty(slot);
    await bench.vm.destroy(freed);
  });
});
