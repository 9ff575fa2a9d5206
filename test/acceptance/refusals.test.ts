import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type Simulator, startSimulator } from "#simulator";
import { findBinaries } from "../../src/cli/terraform-binaries.ts";
import type { PluginBinary } from "../terraform/plugin-binary.ts";
import { type Outcome, startedByTerraform, type Workspace } from "../terraform/workspace.ts";
import { buildProvider, clusterWorkspace } from "./cluster-workspace.ts";

const said = ({ diagnostics }: Outcome) => diagnostics.map(({ summary, detail }) => `${summary}: ${detail}`).join("\n");

for (const binary of findBinaries()) {
  describe(`what a plan refuses (${binary.name} ${binary.version})`, () => {
    let plugin: PluginBinary;
    let simulator: Simulator;
    let terraform: Workspace;

    beforeAll(async () => {
      plugin = await buildProvider();
      simulator = await startSimulator({ speed: 200 });
    });
    beforeEach(() => {
      simulator.reset();
      terraform = clusterWorkspace(binary, plugin, simulator);
      return () => terraform[Symbol.dispose]();
    });
    afterAll(() => simulator.close());

    const vm = (body: string) =>
      `resource "proxmox_vm" "a" {\n  name = "a"\n  vmid = 401\n  power = "stopped"\n  clone = { template = "ubuntu-24.04-cloud" }\n  ${body}\n}\n`;
    const raw = () => simulator.sim.world.guests[401]?.config as Record<string, string>;

    test("a disk that was grown by hand is a warning, and a destroy succeeds", async () => {
      terraform.configure(vm('disks = { scsi0 = { size = "10G" } }'));
      expect(said(await terraform.apply())).toBe("");
      raw()["scsi0"] = (raw()["scsi0"] ?? "").replace("size=10G", "size=20G");
      const plan = await terraform.plan();
      expect(plan).toMatchObject({ code: 0, changes: {} });
      expect(said(plan)).toMatch(/^Disk has grown: disks\["scsi0"\]\.size: .*size = "20G"/);
      expect(await terraform.destroy()).toMatchObject({ code: 0 });
      expect(simulator.sim.world.guests[401]).toBeUndefined();
    });

    test("what stops a plan does not stop a destroy; elsewhere than on Linux the message says how to continue", async () => {
      startedByTerraform(terraform);
      terraform.configure(vm('disks = { scsi0 = { size = "10G" } }'));
      expect(said(await terraform.apply())).toBe("");
      terraform.configure(vm('disks = { scsi0 = { size = "5G" } }'));
      const refused = await terraform.plan();
      expect(refused.code).toBe(1);
      expect(said(refused)).toMatch(/Disks cannot shrink.*`terraform destroy` works with `-refresh=false`/s);
      const args = process.platform === "linux" ? [] : ["-refresh=false"];
      const { code } = await terraform.run(["destroy", "-json", "-auto-approve", "-input=false", ...args]);
      expect(code).toBe(0);
      expect(simulator.sim.world.guests[401]).toBeUndefined();
    });

    test("a VMID of another VM does not stop a destroy, and that VM stays", async () => {
      terraform.configure(vm(""));
      expect(said(await terraform.apply())).toBe("");
      Object.assign(raw(), { name: "stranger", vmgenid: "11111111-1111-4111-8111-111111111111" });
      raw()["smbios1"] = "uuid=22222222-2222-4222-8222-222222222222";
      const plan = await terraform.plan();
      expect(plan.code).toBe(1);
      expect(said(plan)).toMatch(/VMID 401 is taken.*-refresh=false/s);
      const destroyed = await terraform.run(["destroy", "-json", "-auto-approve", "-input=false", "-refresh=false"]);
      expect(destroyed.code).toBe(0);
      expect(said(destroyed)).toContain("VMID 401 is another VM now");
      expect(simulator.sim.world.guests[401]).toBeDefined();
    });

    const data = '{ storage = "local-lvm", size = "1G" }';
    test.each([
      ["a slot that is null", `{ scsi0 = { size = "10G" }, scsi1 = var.data ? ${data} : null }`],
      ["merged maps", `merge({ scsi0 = { size = "10G" } }, var.data ? { scsi1 = ${data} } : {})`],
      [
        "a filtered map",
        `{ for slot, disk in { scsi0 = { storage = null, size = "10G" }, scsi1 = ${data} } : slot => disk if slot == "scsi0" || var.data }`,
      ],
      [
        "two whole maps with the same members",
        `var.data ? { scsi0 = { storage = null, size = "10G" }, scsi1 = ${data} } : { scsi0 = { storage = null, size = "10G" }, scsi1 = null }`,
      ],
    ])("a disk is added and removed by a condition: %s", async (_, disks) => {
      const toDisk = `disks = ${disks}`;
      terraform.configure(`variable "data" {\n  type = bool\n}\n${vm(toDisk)}`);
      if (binary.name === "tofu" && /: null }$|scsi1 = null/.test(disks)) {
        const refused = await startedByTerraform(terraform).plan("-var", "data=false");
        expect(said(refused)).toContain("makes OpenTofu crash");
        return;
      }
      const quiet = async (value: boolean) => {
        const applied = await terraform.apply("-var", `data=${value}`);
        expect(applied.diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
        expect(await terraform.plan("-var", `data=${value}`)).toMatchObject({ code: 0, changes: {} });
      };
      await quiet(false);
      expect(raw()["scsi1"]).toBeUndefined();
      await quiet(true);
      expect(raw()["scsi1"]).toContain("size=1G");
      await quiet(false);
      expect(raw()["scsi1"]).toBeUndefined();
    });
  });
}
