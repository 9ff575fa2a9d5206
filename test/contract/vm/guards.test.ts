import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ProviderErrors, unknown } from "../../harness/index.ts";
import { placeOf } from "../place-of.ts";
import { attribute } from "../resource-bench.ts";
import { Bench, type Input } from "./suite.ts";

let bench: Bench;

beforeAll(async () => {
  bench = await Bench.open();
});

afterAll(() => bench.close());

const clone = { template: "ubuntu-24.04-cloud" };

/** The diagnostics of a plan that is refused, as "path: summary". */
async function refusals(config: Input): Promise<string[]> {
  try {
    await bench.vm.plan(null, config);
    return [];
  } catch (error) {
    if (!(error instanceof ProviderErrors)) throw error;
    return error.diagnostics.map((one) => `${placeOf(one)}: ${one.summary}`);
  }
}

describe("a plan is refused", () => {
  const wrong: [string, Input, string][] = [
    ["an unknown template", { clone: { template: "nope" } }, "clone.template: Template not found"],
    ["a taken VMID", { vmid: 9000, clone }, "vmid: VMID 9000 is taken"],
    ["a taken name", { name: "ubuntu-24.04-cloud", clone }, "name: Name taken"],
    ["a disk that would shrink", { clone, disks: { scsi0: { size: "1G" } } }, "disks.scsi0.size: Disks cannot shrink"],
    [
      "a new disk without a storage",
      { clone, disks: { scsi5: { size: "1G" } } },
      "disks.scsi5.storage: Storage needed",
    ],
    [
      "an unknown storage",
      { clone, disks: { scsi5: { size: "1G", storage: "x9" } } },
      "disks.scsi5.storage: No such storage",
    ],
    [
      "an image to import that is not there",
      { node: "pve1", disks: { scsi0: { storage: "local-lvm", import_from: "local:import/none.qcow2" } } },
      "disks.scsi0.import_from: No such file",
    ],
    [
      "a disc that is not there",
      { clone, cdroms: { ide0: { file: "local:iso/none.iso" } } },
      "cdroms.ide0.file: No such file",
    ],
    [
      "a disc on a storage that is not there",
      { clone, cdroms: { ide0: { file: "nowhere:iso/none.iso" } } },
      "cdroms.ide0.file: No such storage",
    ],
    ["an unknown mapping", { clone, pci: { hostpci0: { mapping: "none" } } }, "pci.hostpci0.mapping: No such mapping"],
    ["an unknown pool", { clone, pool: "missing" }, "pool: No such pool"],
    [
      "a boot device that will not be there",
      { clone, boot_order: ["scsi0", "net7"] },
      "boot_order.1: Boot device missing",
    ],
    ["a VM without a node in a cluster", { name: "x" }, "node: Node needed"],
  ];
  test.each(wrong)("for %s", async (_, config, message) => {
    expect(await refusals(config)).toContain(message);
  });

  const invalid: [string, Input, RegExp][] = [
    ["a bad CIDR", { networks: { net0: { ipv4: { address: "10.0.0.5" } } } }, /prefix length: `10.0.0.5\/24`/],
    ["a bad prefix", { networks: { net0: { ipv4: { address: "10.0.0.5/33" } } } }, /Must be an IPv4 address/],
    [
      "a gateway elsewhere",
      { networks: { net0: { ipv4: { address: "10.0.0.5/24", gateway: "10.0.1.1" } } } },
      /not in the network/,
    ],
    ["a bad MAC", { networks: { net0: { mac: "01:00:00:00:00:00" } } }, /not of a group/],
    [
      "one MAC for two cards",
      { networks: { net0: { mac: "BC:24:11:01:02:03" }, net1: { mac: "bc:24:11:01:02:03" } } },
      /MAC address used twice.*`net0`/s,
    ],
    ["a VLAN out of range", { networks: { net0: { vlan: 4095 } } }, /at most 4094/],
    ["an underscore in the name", { name: "web_1" }, /`web-1`/],
    ["a VMID out of range", { vmid: 99 }, /at least 100/],
    ["a VM without cores", { cpu: { cores: 0 } }, /cpu\.cores is 0\. Must be at least 1\./],
    ["a VM without sockets", { cpu: { sockets: 0 } }, /cpu\.sockets is 0/],
    ["a long description", { description: "x".repeat(8192) }, /at most 8105 characters, and it has 8192/],
    ["an ISO image as a disk", { disks: { scsi0: { volume: "local:iso/a.iso" } } }, /not of the content `images`/],
    ["a snippet as a TPM", { tpm_state: { volume: "local:snippets/a.yaml" } }, /not of the content `images`/],
    ["a file name as a volume", { disks: { scsi0: { volume: "disk.qcow2" } } }, /is not a volume ID/],
    ["a bad PCI address", { pci: { hostpci0: { address: "1:0" } } }, /PCI address/],
    ["two ways to name a device", { pci: { hostpci0: { address: "0000:01:00.0", mapping: "gpu" } } }, /not both/],
    ["a slot that does not exist", { disks: { scsi31: { size: "1G" } } }, /`scsi0` to `scsi30`/],
    ["parts of a byte", { disks: { scsi0: { size: "0.03T" } } }, /That is not a whole number of bytes.*`31G`/],
    ["a size that is none", { memory: { size: "8 GB" } }, /Write `8G`/],
    ["a setting of another bus", { disks: { virtio0: { ssd: true } } }, /Only `scsi`, `sata`, `ide`/],
    [
      "a volume that lies elsewhere",
      { disks: { scsi0: { volume: "a1:vm-1-disk-0", storage: "b1" } } },
      /does not lie on/,
    ],
    ["one slot for two drives", { disks: { ide2: { size: "1G" } }, cdroms: { ide2: {} } }, /is a disk/],
    ["a template that runs", { template: true, power: "running" }, /template cannot run/],
    ["a boot device that can be none", { boot_order: ["efidisk0"] }, /is none/],
    [
      "two limits that exclude each other",
      { disks: { scsi0: { limits: { mbps: 1, mbps_read: 1 } } } },
      /each direction/,
    ],
  ];
  test.each(invalid)("in validation already for %s", async (_, config, message) => {
    await expect(bench.vm.validate(config)).rejects.toThrow(message);
  });
});

test("a private key given as a public one is refused without being repeated", async () => {
  const secret = "b3BlbnNzaC1rZXktdjEAAAAABG5vbmU";
  const key = `-----BEGIN OPENSSH PRIVATE KEY-----\n${secret}\n-----END OPENSSH PRIVATE KEY-----`;
  const refused = await bench.vm.validate({ cloud_init: { ssh_keys: [key] } }).catch((reason: Error) => reason.message);
  expect(refused).toContain("this is a private one");
  expect(refused).not.toContain(secret);
});

describe("what is not known yet is not judged", () => {
  test.each<[string, Input]>([
    ["the template", { name: "u1", clone: { template: unknown } }],
    ["a storage", { name: "u2", clone, disks: { scsi5: { storage: unknown, size: "1G" } } }],
    ["an address", { name: "u3", clone, networks: { net0: { ipv4: { address: unknown, gateway: "10.0.0.1" } } } }],
    ["all the disks", { name: "u4", clone, disks: unknown }],
    ["the name", { name: unknown, clone }],
    ["the node", { name: "u5", node: unknown, clone }],
  ])("%s", async (_, config) => {
    expect(await refusals(config)).toEqual([]);
  });
});

describe("a taken VMID", () => {
  test("is never taken over, even if it was free while planning", async () => {
    const config = { name: "late", vmid: 777, clone };
    const plan = await bench.vm.plan(null, config);
    const { world } = bench.simulator.sim;
    world.guests[777] = { ...structuredClone(bench.guest(9000)), vmid: 777, config: { name: "production-db" } };
    await bench.restart();
    const refused = bench.vm.apply(plan, config);
    await expect(refused).rejects.toThrow(/VMID 777 is taken/);
    await expect(refused).rejects.toMatchObject({ remains: null });
    expect(bench.config(777)["name"]).toBe("production-db");
    delete world.guests[777];
  });

  test("makes an automatic one try the next", async () => {
    const { world } = bench.simulator.sim;
    world.guests[100] = { ...structuredClone(bench.guest(9000)), vmid: 100, config: { name: "first" } };
    await bench.restart();
    const instance = await bench.vm.create({ name: "second", clone });
    expect(attribute(instance, "vmid")).toBe(101);
    await bench.vm.destroy(instance);
    delete world.guests[100];
  });
});

describe("one name, one VM", () => {
  test("a second VM of a name is refused with the way to adopt the first", async () => {
    const first = await bench.vm.create({ name: "single", vmid: 610, clone, power: "stopped" });
    await bench.restart();
    await expect(bench.vm.plan(null, { name: "single", clone })).rejects.toThrow(/id = "610"/);
    await bench.configure();
    const second = await bench.vm.create({ name: "single", clone, power: "stopped", allow_duplicate_name: true });
    expect(attribute(second, "vmid")).not.toBe(610);
    await bench.vm.destroy(second);
    expect(bench.has(610)).toBe(true);
    await bench.vm.destroy(first);
  });

  test("a VM can be adopted when that is asked for", async () => {
    const first = await bench.vm.create({ name: "adoptee", vmid: 611, clone, power: "stopped" });
    await bench.restart();
    const adopted = await bench.vm.create({
      name: "adoptee",
      clone,
      on_existing: "adopt",
      power: "unmanaged",
      cpu: { cores: 3 },
    });
    expect(attribute(adopted, "vmid")).toBe(611);
    expect(bench.config(611)["cores"]).toBe("3");
    expect(attribute(adopted, "smbios", "uuid")).toBe(attribute(first, "smbios", "uuid"));
    await bench.vm.destroy(adopted);
  });

  test("a protected VM is not replaced", async () => {
    const first = await bench.vm.create({ name: "kept", vmid: 614, clone, power: "stopped", protection: true });
    const other = { name: "kept", vmid: 615, clone, power: "stopped", protection: true };
    await expect(bench.vm.plan(first, other)).rejects.toThrow("Set it to false and apply that first");
  });

  test("a replaced VM may keep its name", async () => {
    const first = await bench.vm.create({ name: "replaced", vmid: 612, clone, power: "stopped" });
    const second = await bench.vm.update(first, { name: "replaced", vmid: 613, clone, power: "stopped" });
    expect(attribute(second, "vmid")).toBe(613);
    expect(bench.has(612)).toBe(false);
    await bench.vm.destroy(second);
  });
});

describe("a create that failed", () => {
  test("leaves a VM that the next plan replaces: its own name and VMID are no obstacle", async () => {
    const config = { name: "tainted", vmid: 651, clone };
    bench.simulator.faults.order({ do: "fail", task: "qmstart", text: "start failed: QEMU exited with code 1" });
    const failure = await bench.vm.create(config).catch((reason: unknown) => reason);
    const remains = (failure as ProviderErrors).remains;
    if (!remains) throw new Error("nothing remains");
    await bench.restart();
    const kept = await bench.vm.refresh(remains);
    const plan = await bench.vm.plan(null, config);
    expect(plan.warnings).toEqual([]);
    await bench.vm.destroy(kept);
    await bench.vm.destroy(await bench.vm.apply(plan, config));
  });

  test("at its very end as well, when nothing shows any more that it is unfinished", async () => {
    const config = { name: "complete", vmid: 652, clone, power: "stopped" };
    const made = await bench.vm.create(config);
    await bench.restart();
    await bench.vm.refresh(made);
    const tainted = await bench.vm.plan(null, config);
    expect(tainted.action).toBe("create");
    expect(tainted.warnings.map(({ summary }) => summary)).toEqual(["What refers to VMID 652 is removed with the VM"]);
    const stays = bench.vm.plan(made, config);
    await expect(stays).rejects.toThrow("Another resource of this configuration wants");
    await bench.vm.destroy(made);
  });
});

describe("an interrupted create", () => {
  test("while the VM was started is resumed, with HA", async () => {
    const config = { name: "started", clone, cpu: { cores: 3 }, ha: { max_restart: 2 } };
    bench.simulator.faults.order({ do: "slow", task: "qmstart", seconds: 400 });
    const lost = bench.vm.create(config).catch(() => "lost");
    const isStarting = () => bench.simulator.sim.world.tasks.some(({ type, ended }) => type === "qmstart" && !ended);
    await expect.poll(isStarting, { timeout: 20_000 }).toBe(true);
    bench.provider.process.kill("SIGKILL");
    await lost;
    await bench.restart();
    const resumed = await bench.vm.create(config);
    expect(bench.config(Number(attribute(resumed, "vmid")))["description"]).toBeUndefined();
    await bench.vm.destroy(resumed);
  });

  test("is resumed by the next one, and no second VM is created", async () => {
    const config = { name: "cut-off", clone, cpu: { cores: 3 } };
    bench.simulator.faults.order({ do: "reset", call: "PUT /nodes/{node}/qemu/{vmid}/config", times: 20 });
    await expect(bench.vm.create(config)).rejects.toThrow();
    bench.simulator.faults.clear();
    const made = bench.vmids().filter((vmid) => bench.config(vmid)["name"] === "cut-off");
    expect(made).toHaveLength(1);
    await bench.restart();
    const resumed = await bench.vm.create(config);
    expect(attribute(resumed, "vmid")).toBe(made[0]);
    expect(bench.vmids().filter((vmid) => bench.config(vmid)["name"] === "cut-off")).toEqual(made);
    expect(bench.config(made[0] ?? 0)).toMatchObject({ cores: "3" });
    expect(bench.config(made[0] ?? 0)["description"]).toBeUndefined();
    await bench.vm.destroy(resumed);
  });

  const unfinished = async (): Promise<string> => {
    const warnings = (await bench.configure()).filter(({ summary }) => summary === "Guest of an interrupted create");
    return warnings.map(({ detail }) => detail).join();
  };

  test.each([
    ["with a VMID of its own", { vmid: 650 }],
    ["with any VMID", {}],
  ])("by a killed process in the middle of the clone is resumed, %s", async (_, more) => {
    const config = { name: "killed", clone, cpu: { cores: 3 }, ...more };
    bench.simulator.faults.order({ do: "slow", task: "qmclone", seconds: 400 });
    const before = bench.vmids();
    const lost = bench.vm.create(config).catch(() => "lost");
    const isUnderWay = () => bench.vmids().some((vmid) => !before.includes(vmid));
    await expect.poll(isUnderWay, { timeout: 10_000 }).toBe(true);
    bench.provider.process.kill("SIGKILL");
    await lost;
    await bench.restart();
    const [left] = bench.vmids().filter((vmid) => !before.includes(vmid));
    expect(await unfinished()).toMatch(
      new RegExp(`VM ${left}.* on pve1 was left by a run that was killed.*qm destroy ${left}`),
    );
    const resumed = await bench.vm.create(config);
    expect(await unfinished()).toBe("");
    expect(bench.vmids().filter((vmid) => !before.includes(vmid))).toEqual([attribute(resumed, "vmid")]);
    expect(bench.config(Number(attribute(resumed, "vmid")))).toMatchObject({ name: "killed", cores: "3" });
    await bench.vm.destroy(resumed);
  });
});

test("a custom CPU model may be created by the same plan", async () => {
  const vm = { name: "custom", clone, cpu: { type: "custom-coming" } };
  await bench.configure();
  expect(await refusals(vm)).toEqual(["cpu.type: No such CPU type"]);
  await bench.configure();
  await bench.resource("proxmox_cpu_model").plan(null, { name: "coming", reported_model: "kvm64" });
  expect(await refusals(vm)).toEqual([]);
});
