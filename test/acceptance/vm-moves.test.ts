import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { defaultSeed, type Simulator, startSimulator } from "#simulator";
import { findBinaries, howToGetOne } from "../../src/cli/terraform-binaries.ts";
import type { PluginBinary } from "../terraform/plugin-binary.ts";
import { buildProvider } from "./cluster-workspace.ts";
import { errorsIn, moved, onServer, workspaceWith } from "./moved-states.ts";
import { recordedStates } from "./recorded-states.ts";

const fixture = (name: string) => join(import.meta.dirname, "fixtures", name);

/** The VM of both fixtures, as it is on the server. */
const web = {
  vmid: 501,
  running: true,
  config: {
    agent: "1",
    balloon: 0,
    boot: "order=scsi0",
    ciuser: "ops",
    cores: 4,
    cpu: "host",
    description: "Managed by Terraform.",
    ide2: "local-lvm:vm-501-cloudinit,media=cdrom",
    ipconfig0: "ip=192.0.2.11/24,gw=192.0.2.1",
    memory: 4096,
    name: "web",
    nameserver: "192.0.2.53",
    net0: "virtio=BC:24:11:50:00:01,bridge=vmbr0,firewall=1,tag=20",
    onboot: 1,
    ostype: "l26",
    scsi0: "local-lvm:vm-501-disk-0,discard=on,iothread=1,size=40G,ssd=1",
    // Not in either state; it must not change.
    scsi7: "local-lvm:vm-501-disk-7,size=1G",
    scsihw: "virtio-scsi-single",
    searchdomain: "example.com",
    serial0: "socket",
    smbios1: "uuid=50100000-0000-4000-8000-000000000001",
    sockets: 1,
    tags: "web",
    vga: "serial0",
    vmgenid: "50100000-0000-4000-9000-000000000001",
  },
};

/** Another one made by the same configuration. */
const second = {
  ...web,
  vmid: 503,
  config: {
    ...web.config,
    ide2: "local-lvm:vm-503-cloudinit,media=cdrom",
    name: "web-2",
    net0: web.config.net0.replace("50:00:01", "50:00:03"),
    scsi0: web.config.scsi0.replace("501", "503"),
    scsi7: web.config.scsi7.replace("501", "503"),
    smbios1: web.config.smbios1.replace("501", "503"),
    vmgenid: web.config.vmgenid.replace("501", "503"),
  },
};

const plain = {
  vmid: 502,
  config: { name: "plain", cores: 1, sockets: 1, cpu: "x86-64-v2-AES", memory: 512, description: "made by hand" },
};

const secondPlain = { vmid: 504, config: { ...plain.config, name: "plain-2" } };

const webHcl = (template: string) => `
resource "proxmox_vm" "web" {
  name       = "web"
  node       = "pve"
  vmid       = 501
  clone      = { template = "${template}", full = true }
  tags       = ["web"]
  cpu        = { cores = 4, type = "host" }
  memory     = { size = "4G" }
  disks      = { scsi0 = { size = "40G", ssd = true } }
  networks   = {
    net0 = { bridge = "vmbr0", vlan = 20, firewall = true, ipv4 = { address = "192.0.2.11/24", gateway = "192.0.2.1" } }
  }
  cloud_init = { user = "ops", dns_servers = ["192.0.2.53"], search_domain = "example.com" }
  boot_order = ["scsi0"]
}
`;

/** The state of `count = 2`: the recorded instance, and one more that differs in what identifies a VM. */
function withSecondInstance(state: string): string {
  const parsed = JSON.parse(state) as { resources: { instances: { attributes: object; index_key?: number }[] }[] };
  for (const resource of parsed.resources) {
    const text = JSON.stringify(resource.instances[0]);
    const other = text
      .replaceAll("501", "503")
      .replace('"id":502', '"id":504')
      .replace('"name":"plain"', '"name":"plain-2"')
      .replaceAll(":50:00:01", ":50:00:03")
      .replace('"name":"web"', '"name":"web-2"');
    resource.instances = [text, other].map((one, index) => ({ ...JSON.parse(one), index_key: index }));
  }
  return JSON.stringify(parsed);
}

function simulatorWith(guests: readonly object[]): Promise<Simulator> {
  const seed = defaultSeed(["pve"]) as { guests: object[] };
  return startSimulator({ speed: 100, seed: { ...seed, guests: [...seed.guests, ...guests] } });
}

/** One block for each instance. */
const byInstance = (from: string, targets: readonly string[]): string =>
  targets.map((to, index) => moved(`${from}[${index}]`, to)).join("");

const cases = [
  {
    title: "bpg's VM in blocks",
    state: "bpg.tfstate",
    hcl: webHcl("9000"),
    moves: [["proxmox_virtual_environment_vm.web", "proxmox_vm.web"]],
  },
  {
    title: "bpg's VM of the same type name",
    state: "bpg-same-type.tfstate",
    hcl: 'resource "proxmox_vm" "ours" {\n  name = "plain"\n  cpu  = { cores = 1 }\n}\n',
    moves: [["proxmox_vm.plain", "proxmox_vm.ours"]],
  },
  {
    title: "Telmate's VM",
    state: "telmate.tfstate",
    hcl: webHcl("ubuntu-24.04-cloud"),
    moves: [["proxmox_vm_qemu.web", "proxmox_vm.web"]],
  },
] as const;

for (const binary of findBinaries()) {
  describe(`a state of another provider (${binary.name} ${binary.version})`, () => {
    let plugin: PluginBinary;
    let simulator: Simulator;

    beforeAll(async () => {
      plugin = await buildProvider();
      simulator = await simulatorWith([web, second, plain, secondPlain]);
    });
    beforeEach(() => simulator.reset());
    afterAll(() => simulator.close());

    test.each(cases)("moves here with an empty plan: $title", async ({ state, hcl, moves }) => {
      using terraform = workspaceWith(binary, plugin, simulator);
      terraform.write("terraform.tfstate", readFileSync(fixture(state), "utf8"));
      terraform.configure(hcl + moves.map(([from, to]) => moved(from, to)).join(""));
      const before = onServer(simulator);
      const plan = await terraform.plan();
      expect(errorsIn(plan)).toEqual([]);
      expect(plan.changes).toEqual(Object.fromEntries(moves.map(([, to]) => [to, { action: "move" }])));
      expect(await terraform.apply()).toMatchObject({ code: 0 });
      expect(onServer(simulator)).toBe(before);
      terraform.configure(hcl);
      expect(await terraform.plan()).toMatchObject({ code: 0, changes: {} });
    });

    test("of the same type name moves here as a whole, and a message explains it", async () => {
      using terraform = workspaceWith(binary, plugin, simulator);
      terraform.write("terraform.tfstate", withSecondInstance(readFileSync(fixture("bpg-same-type.tfstate"), "utf8")));
      const vm = (name: string, rest: string) => `resource "proxmox_vm" "${name}" {\n${rest}\n}\n`;
      const apart = vm("first", 'name = "plain"') + vm("second", 'name = "plain-2"');
      const targets = ["proxmox_vm.first", "proxmox_vm.second"];
      terraform.configure(apart + byInstance("proxmox_vm.plain", targets));
      const byInstances = await terraform.plan();
      const moves = Object.fromEntries(targets.map((to) => [to, { action: "move" }]));
      // OpenTofu asks the provider to move each instance, Terraform only the first.
      if (binary.name === "tofu") expect(byInstances).toMatchObject({ code: 2, changes: moves });
      else expect(errorsIn(byInstances)).toMatchObject([{ summary: "State of another provider" }]);
      const together = vm("all", 'count = 2\nname = ["plain", "plain-2"][count.index]');
      terraform.configure(together + moved("proxmox_vm.plain", "proxmox_vm.all"));
      expect(await terraform.apply()).toMatchObject({ code: 0 });
      terraform.configure(apart + byInstance("proxmox_vm.all", targets));
      const plan = await terraform.plan();
      expect(errorsIn(plan)).toEqual([]);
      expect(plan.changes).toEqual(moves);
    });

    test.each(cases.filter(({ moves: [[from]] }) => !from.startsWith("proxmox_vm.")))(
      "moves here instance by instance: $title",
      async ({ state, hcl, moves: [[from, to]] }) => {
        using terraform = workspaceWith(binary, plugin, simulator);
        terraform.write("terraform.tfstate", withSecondInstance(readFileSync(fixture(state), "utf8")));
        const others = hcl
          .replace(`"${to.split(".")[1]}"`, '"other"')
          .replace("501", "503")
          .replace(/name( +)= "(web|plain)"/, 'name$1= "$2-2"');
        terraform.configure(hcl + others + byInstance(from, [to, "proxmox_vm.other"]));
        const before = onServer(simulator);
        const plan = await terraform.plan();
        expect(errorsIn(plan)).toEqual([]);
        expect(plan.changes).toEqual({ [to]: { action: "move" }, "proxmox_vm.other": { action: "move" } });
        expect(await terraform.apply()).toMatchObject({ code: 0 });
        expect(onServer(simulator)).toBe(before);
        expect(await terraform.plan()).toMatchObject({ code: 0, changes: {} });
      },
    );

    test("is changed in place by the same plan that moves it", async () => {
      using terraform = workspaceWith(binary, plugin, simulator);
      terraform.write("terraform.tfstate", readFileSync(fixture("bpg.tfstate"), "utf8"));
      const hcl = webHcl("ubuntu-24.04-cloud").replace("cores = 4", "cores = 6");
      terraform.configure(hcl + moved("proxmox_virtual_environment_vm.web", "proxmox_vm.web"));
      const plan = await terraform.plan();
      expect(errorsIn(plan)).toEqual([]);
      expect(plan.changes).toEqual({ "proxmox_vm.web": { action: "update" } });
      const drives = { ...simulator.sim.world.guests[501]?.config };
      expect(await terraform.apply()).toMatchObject({ code: 0 });
      const { config, pending } = simulator.sim.world.guests[501] ?? { config: {}, pending: { set: {} } };
      expect({ ...config, ...pending.set }).toEqual({ ...drives, cores: "6" });
    });

    for (const { title, path, from, hcl, guests } of recordedStates) {
      test.skipIf(!existsSync(path))(`moves here as the other provider wrote it: ${title}`, async () => {
        const cluster = await simulatorWith(guests());
        using terraform = workspaceWith(binary, plugin, cluster);
        terraform.write("terraform.tfstate", readFileSync(path, "utf8"));
        terraform.configure(hcl + moved(from, "proxmox_vm.vm"));
        const before = onServer(cluster);
        const plan = await terraform.plan();
        expect(errorsIn(plan)).toEqual([]);
        expect(plan.changes).toEqual({
          "proxmox_vm.vm[0]": { action: "move" },
          "proxmox_vm.vm[1]": { action: "move" },
        });
        expect(await terraform.apply()).toMatchObject({ code: 0 });
        expect(onServer(cluster)).toBe(before);
        expect(await terraform.plan()).toMatchObject({ code: 0, changes: {} });
        await cluster.close();
      });
    }
  });
}
if (findBinaries().length === 0) test.skip(`states of other providers: skipped. ${howToGetOne}`);
