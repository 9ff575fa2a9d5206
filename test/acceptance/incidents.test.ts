import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { defaultSeed, type Simulator, startSimulator } from "#simulator";
import { findBinaries, howToGetOne } from "../../src/cli/terraform-binaries.ts";
import type { PluginBinary } from "../terraform/plugin-binary.ts";
import { type Outcome, startedByTerraform, type Workspace } from "../terraform/workspace.ts";
import { buildProvider, clusterWorkspace } from "./cluster-workspace.ts";

/** Incidents that users of other providers reported, each as the behaviour that prevents it. */
const production = { vmid: 777, running: true, config: { name: "production-db", memory: 1024 } };

const said = ({ diagnostics }: Outcome) => diagnostics.map(({ summary, detail }) => `${summary}: ${detail}`).join("\n");

for (const binary of findBinaries()) {
  describe(`incidents (${binary.name} ${binary.version})`, () => {
    let plugin: PluginBinary;
    let simulator: Simulator;
    let terraform: Workspace;

    beforeAll(async () => {
      plugin = await buildProvider();
      const seed = defaultSeed(["pve"]) as { guests: object[] };
      simulator = await startSimulator({ speed: 100, seed: { ...seed, guests: [...seed.guests, production] } });
    });
    beforeEach(() => {
      simulator.reset();
      terraform = clusterWorkspace(binary, plugin, simulator);
      return () => terraform[Symbol.dispose]();
    });
    afterAll(() => simulator.close());

    const guests = () => simulator.sim.world.guests;
    const vm = (body: string, name = "app") => `resource "proxmox_vm" "${name}" {\n${body}\n}\n`;
    const clone = 'clone = { template = "ubuntu-24.04-cloud" }';
    const calls = () => {
      const { calls: made } = simulator.sim.log.summary() as { calls: { endpoint: string; count: number }[] };
      return made.map(({ endpoint, count }) => `${count} ${endpoint}`);
    };

    test("a clone without disks and networks in its configuration keeps them, and boots", async () => {
      terraform.configure(
        vm(`name = "app"\nvmid = 401\n${clone}\nmemory = { size = "4G" }\nboot_order = ["scsi0", "net0"]`),
      );
      expect(said(await terraform.apply())).toBe("");
      const { config, run } = guests()[401] ?? {};
      expect(config).toMatchObject({ memory: "4096", boot: "order=scsi0;net0" });
      expect(config?.["scsi0"]).toMatch(/^local-lvm:vm-401-disk-0,/);
      expect(config?.["net0"]).toMatch(/^virtio=.*bridge=vmbr0/);
      expect(config?.["ide2"]).toContain("cloudinit");
      expect(run).toBeDefined();
      expect((await terraform.plan()).code).toBe(0);
    });

    test("the order and the spelling of keys do not matter", async () => {
      const one = `name = "app"\nvmid = 402\n${clone}\nnetworks = { net1 = { bridge = "vmbr0", vlan = 20 }, net0 = {} }\ndisks = { scsi1 = { storage = "local-lvm", size = "1G" }, scsi0 = { size = "10G" } }`;
      const other = `disks = {\n  scsi0 = { size = "10240M" }\n  scsi1 = { size = "1G", storage = "local-lvm" }\n}\nnetworks = {\n  net0 = {}\n  net1 = { vlan = 20, bridge = "vmbr0" }\n}\n${clone}\nvmid = 402\nname = "app"`;
      terraform.configure(vm(one));
      expect(said(await terraform.apply())).toBe("");
      terraform.configure(vm(other));
      expect((await terraform.plan()).code).toBe(0);
    });

    test("a taken VMID is refused while planning, and its VM is not changed", async () => {
      const before = structuredClone(guests()[777]?.config);
      terraform.configure(vm(`name = "mine"\nvmid = 777\n${clone}`));
      expect(said(await terraform.apply())).toContain("VMID 777 is taken");
      expect(said(await terraform.destroy())).toBe("");
      expect(guests()[777]?.config).toEqual(before);
      expect(guests()[777]?.run).toBeDefined();
    });

    test("a VMID that is taken between plan and apply is refused too, and destroy does not touch it", async () => {
      startedByTerraform(terraform).configure(vm(`name = "mine"\nvmid = 778\n${clone}`));
      expect((await terraform.plan("-out=saved")).code).toBe(2);
      const stranger = { ...structuredClone(guests()[777]), vmid: 778 } as NonNullable<
        (typeof simulator.sim.world.guests)[number]
      >;
      guests()[778] = stranger;
      expect(said(await terraform.run(["apply", "-json", "-input=false", "saved"]))).toContain("VMID 778 is taken");
      expect(await terraform.resources()).toEqual({});
      // Terraform plans the configuration again before it destroys; on Linux the provider sees the purpose.
      const destroyed = said(await terraform.destroy());
      if (process.platform === "linux") expect(destroyed).toBe("");
      else expect(destroyed).toContain("VMID 778 is taken");
      expect((await terraform.run(["destroy", "-auto-approve", "-refresh=false"])).code).toBe(0);
      expect(guests()[778]?.config["name"]).toBe("production-db");
    });

    test("a lost state creates no second VM: the same configuration is refused, and the message says how to import it", async () => {
      terraform.configure(vm(`name = "app"\n${clone}\npower = "stopped"`));
      expect((await terraform.apply()).code).toBe(0);
      const [vmid] = Object.keys(guests()).filter((id) => guests()[Number(id)]?.config["name"] === "app");
      terraform.write("terraform.tfstate", "");
      const count = Object.keys(guests()).length;
      const refused = await terraform.apply();
      expect(said(refused)).toContain(`VMID ${vmid} on pve`);
      expect(said(refused)).toContain(`id = "${vmid}"`);
      expect(Object.keys(guests())).toHaveLength(count);
      terraform.write("import.tf", `import {\n  to = proxmox_vm.app\n  id = "${vmid}"\n}\n`);
      expect((await terraform.apply()).code).toBe(0);
      expect((await terraform.plan()).code).toBe(0);
      expect(Object.keys(guests())).toHaveLength(count);
    });

    test("a token without privileges is reported as such, not as a missing template", async () => {
      const provider = terraform.read("provider.tf");
      const admin = simulator.tokens["root@pam!admin"] ?? "";
      terraform.write("provider.tf", provider.replace(admin, simulator.tokens["noacl@pve!tf"] ?? ""));
      terraform.configure(vm(`name = "app"\n${clone}`));
      const text = said(await terraform.plan());
      expect(text).toContain("noacl@pve!tf has no rights at all");
      expect(text).not.toContain("Template not found");
    });

    test("no privilege is required that Proxmox VE 9 does not have", async () => {
      const provider = terraform.read("provider.tf");
      const admin = simulator.tokens["root@pam!admin"] ?? "";
      terraform.write("provider.tf", provider.replace(admin, simulator.tokens["terraform@pve!tf"] ?? ""));
      expect(Object.values(simulator.sim.world.access.roles).flat()).not.toContain("VM.Monitor");
      terraform.configure(vm(`name = "app"\nvmid = 403\n${clone}\nagent = { enabled = true, wait = "5s" }`));
      const applied = await terraform.apply();
      expect(applied.code).toBe(0);
      expect(applied.stdout).not.toContain("VM.Monitor");
      expect(said(await terraform.destroy())).toBe("");
    });

    test("memory and cores of a stopped VM are changed with one call", async () => {
      const body = (cores: number, size: string) =>
        vm(
          `name = "app"\nvmid = 404\n${clone}\npower = "stopped"\ncpu = { cores = ${cores} }\nmemory = { size = "${size}" }`,
        );
      terraform.configure(body(2, "2G"));
      expect((await terraform.apply()).code).toBe(0);
      terraform.configure(body(4, "8G"));
      simulator.sim.log.clear();
      expect((await terraform.apply()).code).toBe(0);
      expect(calls().filter((call) => !call.includes(" GET "))).toEqual(["1 PUT /nodes/{node}/qemu/{vmid}/config"]);
      expect(guests()[404]?.config).toMatchObject({ cores: "4", memory: "8192" });
      expect(guests()[404]?.run).toBeUndefined();
    });
  });
}
if (findBinaries().length === 0) test.skip(`incidents: skipped. ${howToGetOne}`);
