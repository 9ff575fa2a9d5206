import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Plan } from "../../harness/managed-resource.ts";
import { attribute } from "../resource-bench.ts";
import { Bench, type Input, sshKey } from "./suite.ts";

let bench: Bench;
let nextVmid = 600;

beforeAll(async () => {
  bench = await Bench.open({ as: "root@pam" });
});

afterAll(() => bench.close());

type Lines = Record<string, Input>;

/** A VM with these lines, and what a plain clone of the same template looks like at the server. */
async function setUp(lines: Lines, { power = "stopped", template = "ubuntu-24.04-cloud" } = {}) {
  const vmid = nextVmid++;
  const common: Lines = { name: `undo-${vmid}`, vmid, power, clone: { template } };
  const made = await bench.vm.create({ ...common, ...lines });
  return { vmid, common, made };
}

async function plainClone(name: string, template = "ubuntu-24.04-cloud") {
  const vmid = nextVmid++;
  await bench.vm.create({ name, vmid, power: "stopped", clone: { template }, allow_duplicate_name: true });
  return bench.comparable(vmid);
}

describe("a line that leaves the configuration", () => {
  test.each<[string, Lines]>([
    ["description", { description: "mine" }],
    ["tags", { tags: ["a", "b"] }],
    ["on_boot", { on_boot: true }],
    ["protection", { protection: true }],
    ["cpu", { cpu: { cores: 4, type: "host" } }],
    ["memory", { memory: { size: "4G", balloon: "1G" } }],
    ["cloud_init", { cloud_init: { user: "ops", ssh_keys: [sshKey] } }],
    ["networks", { networks: { net0: { vlan: 20, ipv4: { address: "10.0.0.5/24", gateway: "10.0.0.1" } } } }],
    ["a gateway and its address", { networks: { net0: { ipv6: { address: "fd00::5/64", gateway: "fd00::1" } } } }],
    ["a network card", { networks: { net1: { bridge: "vmbr1" } } }],
    ["disk options", { disks: { scsi0: { cache: "writeback", storage: "local-zfs" } } }],
    ["another disk", { disks: { scsi4: { size: "1G", storage: "local-lvm" } } }],
    ["watchdog", { watchdog: { model: "i6300esb", action: "reset" } }],
    ["serial", { serial: { serial0: "socket", serial1: "socket" } }],
    ["agent", { agent: { enabled: true, type: "isa" } }],
    ["smbios", { smbios: { manufacturer: "Some Maker" } }],
    ["cdroms", { cdroms: { sata5: { file: "none" } } }],
    ["user data", { cloud_init: { user_data: "#cloud-config\n" } }],
    ["efi_disk", { bios: "ovmf", efi_disk: { storage: "local-lvm", type: "4m" } }],
  ])("is undone: %s", async (_, lines) => {
    const { vmid, common, made } = await setUp(lines);
    await bench.vm.update(made, common);
    expect(bench.comparable(vmid)).toEqual(await plainClone(`undo-${vmid}`));
  });

  test("shows in the plan as the value that comes back", async () => {
    const { common, made } = await setUp({ networks: { net0: { vlan: 20 } }, tags: ["x"] });
    const plan = await bench.vm.plan(await bench.vm.refresh(made), { ...common, tags: ["x"] });
    expect(plan.action).toBe("update");
    expect(attribute({ ...made, state: plan.planned as typeof made.state }, "networks", "net0", "vlan")).toBe(null);
  });
});

describe("a gateway without its line", () => {
  const card = (ipv4: Lines): Lines => ({ networks: { net0: { ipv4 } } });
  const own = { address: "10.0.0.5/24", gateway: "10.0.0.1" };

  test.each<[string, Lines, string]>([
    ["the address stays", { address: "10.0.0.5/24" }, "ip=10.0.0.5/24"],
    ["another address is written", { address: "10.0.1.5/24" }, "ip=10.0.1.5/24"],
    ["the guest asks for one", { address: "dhcp" }, "ip=dhcp"],
  ])("goes, where %s", async (_, ipv4, expected) => {
    const { vmid, common, made } = await setUp(card(own));
    await bench.vm.update(made, { ...common, ...card(ipv4) });
    expect(bench.config(vmid)["ipconfig0"]).toBe(expected);
  });

  test("is the template's again, as long as there is a static address", async () => {
    bench.guest(9000).config["ipconfig0"] = "ip=10.0.0.9/24,gw=10.0.0.254";
    await bench.restart();
    for (const [ipv4, expected] of [
      [{ address: "10.0.0.5/24" }, "ip=10.0.0.5/24,gw=10.0.0.254"],
      [{ address: "dhcp" }, "ip=dhcp"],
    ] as const) {
      const { vmid, common, made } = await setUp(card(own));
      await bench.vm.update(made, { ...common, ...card(ipv4) });
      expect(bench.config(vmid)["ipconfig0"]).toBe(expected);
    }
    delete bench.guest(9000).config["ipconfig0"];
    await bench.restart();
  });

  test("stays where it was set by hand, since no line was ever about it", async () => {
    const { vmid, common, made } = await setUp(card({ address: "10.0.0.5/24" }));
    bench.guest(vmid).config["ipconfig0"] = "ip=10.0.0.5/24,gw=10.0.0.2";
    await bench.vm.update(made, { ...common, ...card({ address: "10.0.0.5/24" }), tags: ["a"] });
    expect(bench.config(vmid)["ipconfig0"]).toBe("ip=10.0.0.5/24,gw=10.0.0.2");
  });
});

test("the format of a disk stays where its storage is written, with a warning", async () => {
  const { common, made } = await setUp({ disks: { scsi0: { storage: "nas", format: "qcow2" } } });
  const plan = await bench.vm.plan(await bench.vm.refresh(made), { ...common, disks: { scsi0: { storage: "nas" } } });
  expect(plan.action).toBe("no-op");
  expect(warnings(plan)).toContain('`disks["scsi0"].format` is no longer configured');
});

test("the storage goes back unless the format that stays is not possible there", async () => {
  const { common, made } = await setUp({ disks: { scsi0: { storage: "nas", format: "qcow2" } } });
  const plan = bench.vm.plan(await bench.vm.refresh(made), { ...common, disks: { scsi0: { format: "qcow2" } } });
  await expect(plan).rejects.toThrow(/Storage `local-lvm` cannot hold `qcow2` images/);
});

test.each<[string, Lines]>([
  ["its line", { cloud_init: { user: "ops" } }],
  ["its whole block", {}],
])("a cloud-init drive that goes back without %s does not share its slot", async (_, rest) => {
  const { common, made } = await setUp({ cloud_init: { user: "ops", slot: "sata1" } });
  const config = { ...common, ...rest, cdroms: { ide2: { file: "none" } } };
  await expect(bench.vm.plan(made, config)).rejects.toThrow(/the cloud-init drive goes back to `ide2`/);
});

/** Warnings of a plan, by their details. */
const warnings = (plan: Plan) => plan.warnings.map(({ detail }) => detail).join("\n");

describe("what is remembered", () => {
  test("is the template's value of then, whatever became of the template since", async () => {
    const { vmid, common, made } = await setUp({ cpu: { cores: 6 }, tags: ["mine"] }, { template: "debian-13-cloud" });
    const [template] = bench.vmids().filter((one) => bench.config(one)["name"] === "debian-13-cloud");
    const before = bench.guest(template ?? 0).config["cores"];
    bench.guest(template ?? 0).config["cores"] = "16";
    bench.guest(template ?? 0).config["tags"] = "changed";
    await bench.restart();
    await bench.vm.update(made, common);
    expect(bench.config(vmid)["cores"]).toBe(before);
    expect(bench.config(vmid)["tags"]).toBeUndefined();
    bench.guest(template ?? 0).config["cores"] = before ?? "2";
    delete bench.guest(template ?? 0).config["tags"];
  });

  test("stays the first value when the line changes twice, leaves and comes back", async () => {
    const { vmid, common, made } = await setUp({ cpu: { cores: 4 } });
    let vm = await bench.vm.update(made, { ...common, cpu: { cores: 6 } });
    vm = await bench.vm.update(vm, { ...common, cpu: { cores: 8 } });
    vm = await bench.vm.update(vm, common);
    expect(bench.config(vmid)["cores"]).toBe("2");
    vm = await bench.vm.update(vm, { ...common, cpu: { cores: 3 } });
    await bench.vm.update(vm, common);
    expect(bench.config(vmid)["cores"]).toBe("2");
  });

  test("is what the VM had, not what a user set by hand meanwhile", async () => {
    const { vmid, common, made } = await setUp({ cpu: { cores: 4 } });
    bench.guest(vmid).config["cores"] = "12";
    bench.guest(vmid).config["onboot"] = "1";
    await bench.vm.update(made, common);
    expect(bench.config(vmid)).toMatchObject({ cores: "2", onboot: "1" });
  });

  test("is what was seen on a VM when a line was added to it", async () => {
    const { vmid, common, made } = await setUp({});
    bench.guest(vmid).config["cores"] = "12";
    const with_ = await bench.vm.update(made, { ...common, cpu: { cores: 4 }, networks: { net0: { vlan: 9 } } });
    await bench.vm.update(with_, common);
    expect(bench.config(vmid)["cores"]).toBe("12");
    expect(bench.config(vmid)["net0"]).not.toContain("tag");
  });

  test("outlives an apply that fails half way", async () => {
    const { vmid, common, made } = await setUp({ cpu: { cores: 4 }, tags: ["a"] });
    const wanted = { ...common, cpu: { sockets: 2 }, memory: { size: "3G" }, power: "running" };
    bench.simulator.faults.order({ do: "fail", task: "qmstart", text: "start failed: QEMU exited with code 1" });
    const plan = await bench.vm.plan(await bench.vm.refresh(made), wanted);
    const failed = await bench.vm.apply(plan).catch((error: { remains?: typeof made }) => error.remains ?? made);
    const done = await bench.vm.update(failed, wanted);
    expect(bench.config(vmid)).toMatchObject({ cores: "2", sockets: "2", memory: "3072" });
    await bench.vm.update(done, common);
    expect(bench.config(vmid)).toMatchObject({ cores: "2", memory: "2048" });
    expect(bench.config(vmid)["sockets"]).toBeUndefined();
  });

  test("begins anew with a VM that replaces another", async () => {
    const { vmid, common, made } = await setUp({ cpu: { cores: 4 } });
    const replaced = await bench.vm.apply(
      await bench.vm.plan(await bench.vm.refresh(made), { ...common, vmid: vmid + 200, cpu: { cores: 4 } }),
    );
    await bench.vm.update(replaced, { ...common, vmid: vmid + 200 });
    expect(bench.config(vmid + 200)["cores"]).toBe("2");
  });

  test("brings a slot of the template back to what it was while another slot stays", async () => {
    const networks = { net0: { vlan: 20, firewall: true }, net1: { bridge: "vmbr1" } };
    const { vmid, common, made } = await setUp({ networks });
    const before = bench.config(vmid)["net0"];
    const wanted = { ...common, networks: { net1: { bridge: "vmbr1" } } };
    const plan = await bench.vm.plan(await bench.vm.refresh(made), wanted);
    expect(warnings(plan)).toContain("`net0` of VM");
    const updated = await bench.vm.update(made, wanted);
    expect(bench.config(vmid)["net0"]).toBe(before?.replace(",firewall=1", "").replace(",tag=20", ""));
    expect(attribute(updated, "inherited")).toContain("net0");
  });
});

describe("what is not remembered", () => {
  test("stays after an import, and the plan says how to unset it", async () => {
    const { vmid, made } = await setUp({ tags: ["a"], description: "text", networks: { net0: { vlan: 5 } } });
    const written: Lines = { name: `undo-${vmid}`, vmid, networks: { net0: {} } };
    const imported = await bench.vm.import({ id: String(attribute(made, "vmid")) });
    const plan = await bench.vm.plan(imported, written);
    expect(plan.action).toBe("no-op");
    expect(warnings(plan)).toContain("Not configured, and kept: `description`, `tags`, ");
    expect(warnings(plan)).toContain('To unset a value, write `""`, `[]` or `0`.');
    const emptied = { ...written, tags: [], description: "", networks: { net0: { vlan: 0 } } };
    const updated = await bench.vm.update(imported, emptied);
    expect(bench.config(vmid)["tags"]).toBeUndefined();
    expect(bench.config(vmid)["description"]).toBeUndefined();
    expect(bench.config(vmid)["net0"]).not.toContain("tag");
    // Since then the lines are remembered.
    const back = await bench.vm.update(updated, written);
    expect(bench.config(vmid)).toMatchObject({ tags: "a", description: "text" });
    expect(warnings(await bench.vm.plan(back, written))).toBe("");
  });

  test("can be unset in words, whole objects included", async () => {
    const networks = { net0: { ipv4: { address: "10.0.0.5/24", gateway: "10.0.0.1" } } };
    const { vmid, common, made } = await setUp({ networks, cloud_init: { user: "ops", ssh_keys: [sshKey] } });
    await bench.vm.update(made, {
      ...common,
      networks: { net0: { bridge: "", ipv4: { address: "" } } },
      cloud_init: { user: "", ssh_keys: [] },
      vga: { type: "" },
      os_type: "",
    });
    const now = bench.config(vmid);
    for (const option of ["ipconfig0", "ciuser", "sshkeys", "vga", "ostype"]) expect(now).not.toHaveProperty(option);
    expect(now["net0"]).not.toContain("bridge");
  });

  test("stays when a line that changed nothing leaves", async () => {
    const { vmid, common, made } = await setUp({});
    const imported = await bench.vm.import({ id: String(attribute(made, "vmid")) });
    const same = await bench.vm.update(imported, { ...common, cpu: { cores: 2 } });
    const plan = await bench.vm.plan(same, common);
    expect(plan.action).toBe("no-op");
    expect(warnings(plan)).toContain("`cpu.cores` is no longer configured");
    expect(bench.config(vmid)["cores"]).toBe("2");
  });

  test("stays when it is a secret, until its version changes", async () => {
    const cloud_init = { user: "ops", password: "geheim", password_version: 1 };
    const { vmid, common, made } = await setUp({ cloud_init });
    const kept = { ...common, cloud_init: { user: "ops", password_version: 1 } };
    const plan = await bench.vm.plan(await bench.vm.refresh(made), kept);
    expect(warnings(plan)).toContain("`cloud_init.password` is no longer configured");
    expect(warnings(plan)).toContain("change or take out `cloud_init.password_version`");
    expect(bench.config(vmid)["cipassword"]).toBeDefined();
    const without = await bench.vm.update(made, { ...common, cloud_init: { user: "ops" } });
    expect(bench.config(vmid)["cipassword"]).toBeUndefined();
    await bench.vm.expectSettled(without, { ...common, cloud_init: { user: "ops" } });
  });

  test("is not said to stay with an object that is replaced", async () => {
    const secret = { user: "ops", password: "s3cret-pass", password_version: 1 };
    const { common, made } = await setUp({ cloud_init: secret });
    const plan = await bench.vm.plan(made, { ...common, vmid: nextVmid++, cloud_init: { user: "ops" } });
    expect(plan.action).toBe("replace");
    expect(plan.warnings.map(({ summary }) => summary)).not.toContain("Value stays as it is");
  });

  test("stays where it cannot go back: the size of a disk", async () => {
    const { common, made } = await setUp({ disks: { scsi0: { size: "12G" } } });
    const plan = await bench.vm.plan(await bench.vm.refresh(made), { ...common, disks: { scsi0: {} } });
    expect(plan.action).toBe("no-op");
    expect(warnings(plan)).toContain('`disks["scsi0"].size` is no longer configured');
  });

  test("stays, and the warning says why, when a killed run has lost the record", async () => {
    const { common, made } = await setUp({ cpu: { cores: 4 } });
    const read = await bench.vm.refresh({ ...made, private: new Uint8Array() });
    const plan = await bench.vm.plan(await bench.vm.refresh(read), common);
    expect(warnings(plan)).toContain("`cpu`");
    expect(warnings(plan)).toContain("A run was killed while it changed the object");
    expect(warnings(plan)).not.toContain("older version");
    const again = await bench.vm.update(read, { ...common, cpu: { cores: 3 } });
    const next = await bench.vm.plan(await bench.vm.refresh(again), { ...common, cpu: { cores: 3 } });
    expect(warnings(next)).not.toContain("killed");
  });

  test("is left as an older version would have left it: its slots leave, its values stay", async () => {
    const { vmid, common, made } = await setUp({
      cpu: { cores: 4 },
      networks: { net0: {}, net1: { bridge: "vmbr1" } },
    });
    const { before: _, ...stored } = JSON.parse(new TextDecoder().decode(made.private)) as Record<string, unknown>;
    const value = { ...(stored["value"] as object), slots: ["net0", "net1"], isHaConfigured: false };
    const older = { ...made, private: new TextEncoder().encode(JSON.stringify({ value })) };
    const wanted = { ...common, networks: { net0: {} } };
    const plan = await bench.vm.plan(await bench.vm.refresh(older), wanted);
    expect(warnings(plan)).toContain("`cpu`");
    await bench.vm.update(older, wanted);
    expect(bench.config(vmid)["net1"]).toBeUndefined();
    expect(bench.config(vmid)["cores"]).toBe("4");
  });
});
