import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { attribute } from "../resource-bench.ts";
import { Bench, type Input, sshKey } from "./suite.ts";

let bench: Bench;

beforeAll(async () => {
  bench = await Bench.open();
});

afterAll(() => bench.close());

const ubuntu = { template: "ubuntu-24.04-cloud" };

describe("a clone", () => {
  test("becomes what is written, verified at the server", async () => {
    await bench.vm.create({
      name: "rancher-manager-1",
      vmid: 401,
      node: "pve1",
      clone: ubuntu,
      cpu: { cores: 4 },
      memory: { size: "8G" },
      disks: { scsi0: { size: "100G" } },
      networks: { net0: { bridge: "vmbr0", vlan: 20, ipv4: { address: "10.0.20.11/24", gateway: "10.0.20.1" } } },
      cloud_init: { user: "ops", ssh_keys: [sshKey] },
      boot_order: ["scsi0", "net0"],
    });
    const config = bench.config(401);
    expect(config).toMatchObject({
      name: "rancher-manager-1",
      cores: "4",
      memory: "8192",
      scsi0: "local-lvm:vm-401-disk-0,discard=on,iothread=1,size=100G,ssd=1",
      ipconfig0: "ip=10.0.20.11/24,gw=10.0.20.1",
      ciuser: "ops",
      sshkeys: encodeURIComponent(sshKey),
      boot: "order=scsi0;net0",
      serial0: "socket",
    });
    expect(config["net0"]).toMatch(/^virtio=BC:24:11:[0-9A-F:]+,bridge=vmbr0,tag=20$/);
    expect(config["description"]).toBeUndefined();
    expect(bench.guest(401).run).toBeDefined();
  });

  test("without disks keeps its disk and boots", async () => {
    await bench.vm.create({ name: "bare", vmid: 402, clone: ubuntu, memory: { size: "4G" } });
    expect(bench.config(402)["scsi0"]).toMatch(/^local-lvm:vm-402-disk-0,.*size=3584M/);
    expect(bench.config(402)["boot"]).toBe("order=scsi0");
    expect(bench.guest(402).run).toBeDefined();
  });

  test("without networks keeps its card, and can boot from it", async () => {
    await bench.vm.create({ name: "no-networks", vmid: 403, clone: ubuntu, boot_order: ["scsi0", "net0"] });
    expect(bench.config(403)["net0"]).toMatch(/,bridge=vmbr0$/);
    expect(bench.config(403)["boot"]).toBe("order=scsi0;net0");
  });

  test("without a password keeps that of its template", async () => {
    const template = bench.guest(9000).config;
    template["cipassword"] = "$5$of$the-template";
    await bench.restart();
    const instance = await bench.vm.create({ name: "same-password", vmid: 404, clone: ubuntu });
    delete template["cipassword"];
    expect(bench.config(404)["cipassword"]).toBe("$5$of$the-template");
    await bench.vm.destroy(instance);
  });

  test("shows in the plan what it inherits", async () => {
    const plan = await bench.vm.plan(null, { name: "planned", clone: ubuntu });
    const shown = attribute({ state: plan.planned } as never, "disks", "scsi0", "size");
    expect(shown).toBe("3584M");
    expect(attribute({ state: plan.planned } as never, "cpu", "cores")).toBe(2);
    expect(attribute({ state: plan.planned } as never, "inherited")).toEqual(["scsi0", "ide2", "net0", "serial0"]);
  });

  test("gets a free VMID when none is given, and two at a time get two", async () => {
    const configs = ["a", "b", "c"].map((name) => ({ name, clone: ubuntu }));
    // As Terraform does: all are planned before the first one is created.
    const plans = await Promise.all(
      configs.map(async (config) => ({ config, plan: await bench.vm.plan(null, config) })),
    );
    const made = await Promise.all(plans.map(({ plan, config }) => bench.vm.apply(plan, config)));
    const ids = made.map((instance) => attribute(instance, "vmid"));
    expect(new Set(ids).size).toBe(3);
    for (const instance of made) await bench.vm.destroy(instance);
  });

  const sources: [string, Input, (config: Readonly<Record<string, string>>) => void][] = [
    ["by VMID", { clone: { template: "9000" } }, (config) => expect(config["scsi0"]).toContain("local-lvm:vm-")],
    [
      "full, onto another storage",
      { clone: { template: "9000", storage: "nas", format: "qcow2" } },
      (config) => expect(config["scsi0"]).toMatch(/^nas:\d+\/vm-\d+-disk-0\.qcow2,/),
    ],
    [
      "on another node, when its storage is shared",
      { node: "pve3", clone: { template: "debian-13-cloud" } },
      (config) => expect(config["scsi0"]).toMatch(/^ceph:/),
    ],
    [
      "on another node, when its storage is local",
      { node: "pve2", clone: { template: "ubuntu-24.04-cloud", full: true } },
      (config) => expect(config["scsi0"]).toMatch(/^local-lvm:vm-/),
    ],
  ];
  test.each(sources)("can be made %s", async (_, config, check) => {
    const instance = await bench.vm.create({ name: "from-somewhere", ...(config as object) });
    const vmid = Number(attribute(instance, "vmid"));
    check(bench.config(vmid));
    if ("node" in (config as object)) expect(bench.guest(vmid).node).toBe((config as { node: string }).node);
    await bench.vm.destroy(instance);
    expect(bench.has(vmid)).toBe(false);
    expect(bench.volumes(vmid)).toEqual([]);
  });

  test("takes a new disk, a CD, an EFI disk and a TPM along", async () => {
    const instance = await bench.vm.create({
      name: "devices",
      clone: ubuntu,
      bios: "ovmf",
      efi_disk: { storage: "local-lvm", type: "4m", pre_enrolled_keys: true },
      tpm_state: { storage: "local-lvm", version: "v2.0" },
      disks: { scsi0: { size: "10G" }, virtio1: { storage: "nas", size: "32G", format: "qcow2", cache: "writeback" } },
      cdroms: { ide0: { file: "none" } },
      networks: { net0: {}, net1: { bridge: "vmbr1", model: "e1000", firewall: true } },
      boot_order: ["scsi0"],
    });
    const config = bench.config(Number(attribute(instance, "vmid")));
    expect(config["virtio1"]).toMatch(/^nas:\d+\/vm-\d+-disk-\d\.qcow2,cache=writeback,size=32G$/);
    expect(config["boot"]).toBe("order=scsi0");
    expect(config["net1"]).toMatch(/^e1000=BC:24:11:.*,bridge=vmbr1,firewall=1$/);
    await bench.vm.destroy(instance);
  });
});

describe("a VM of its own", () => {
  test("is made from nothing", async () => {
    const instance = await bench.vm.create({
      name: "from-nothing",
      node: "pve1",
      cpu: { cores: 2, type: "x86-64-v2-AES" },
      memory: { size: "2G", balloon: "1G" },
      scsi_hardware: "virtio-scsi-single",
      disks: { scsi0: { storage: "local-lvm", size: "8G", discard: true } },
      networks: { net0: { bridge: "vmbr0" } },
      tags: ["Web", "prod"],
      description: "made from nothing",
    });
    const config = bench.config(Number(attribute(instance, "vmid")));
    expect(config).toMatchObject({
      cpu: "x86-64-v2-AES",
      balloon: "1024",
      tags: "prod;web",
      description: "made from nothing",
    });
    expect(config["boot"]).toContain("scsi0");
    await bench.vm.destroy(instance);
  });

  test("can be a template", async () => {
    const instance = await bench.vm.create({
      name: "golden",
      node: "pve1",
      disks: { scsi0: { storage: "local-lvm", size: "2G" } },
      template: true,
    });
    const vmid = Number(attribute(instance, "vmid"));
    expect(bench.config(vmid)).toMatchObject({ template: "1", scsi0: `local-lvm:base-${vmid}-disk-0,size=2G` });
    await bench.vm.destroy(instance);
  });
});
