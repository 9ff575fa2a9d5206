import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type Simulator, startSimulator } from "#simulator";
import { findBinaries } from "../../src/cli/terraform-binaries.ts";
import type { PluginBinary } from "../terraform/plugin-binary.ts";
import { type Outcome, startedByTerraform, type Workspace } from "../terraform/workspace.ts";
import { buildProvider, clusterWorkspace } from "./cluster-workspace.ts";

const said = ({ diagnostics }: Outcome) => diagnostics.map(({ summary, detail }) => `${summary}: ${detail}`).join("\n");

for (const binary of findBinaries()) {
  describe(`networks (${binary.name} ${binary.version})`, () => {
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

    const commits = () => simulator.sim.world.tasks.filter(({ type }) => type === "reloadnetworkall").length;

    test.skipIf(process.platform !== "linux")(
      "a zone with vnets and subnets is one commit, planned at once or before",
      async () => {
        startedByTerraform(terraform);
        terraform.configure(`
resource "proxmox_sdn_zone" "lab" {
  id     = "lab"
  simple = {}
}
resource "proxmox_sdn_vnet" "net" {
  count = 8
  id    = "net\${count.index}"
  zone  = proxmox_sdn_zone.lab.id
}
resource "proxmox_sdn_subnet" "net" {
  count = 8
  vnet  = proxmox_sdn_vnet.net[count.index].id
  cidr  = "10.\${count.index}.0.0/24"
}
`);
        expect(said(await terraform.apply())).toBe("");
        expect(commits()).toBe(1);
        expect(await terraform.plan()).toMatchObject({ code: 0 });
        expect(said(await terraform.plan("-destroy", "-out=gone.tfplan"))).toBe("");
        expect(said(await terraform.apply("gone.tfplan"))).toBe("");
        expect(commits()).toBe(2);
        expect(said(await terraform.plan("-out=all.tfplan"))).toBe("");
        expect(said(await terraform.apply("all.tfplan"))).toBe("");
        expect(commits()).toBe(3);
        expect(Object.keys(simulator.sim.world.sdn.running.subnets)).toHaveLength(8);
      },
    );

    test("a fixed address comes after its subnet, and is gone with it", async () => {
      terraform.configure(`
resource "proxmox_sdn_zone" "lab" {
  id     = "lab"
  ipam   = "pve"
  simple = { dhcp = "dnsmasq" }
}
resource "proxmox_sdn_vnet" "net" {
  id   = "net"
  zone = proxmox_sdn_zone.lab.id
}
resource "proxmox_sdn_subnet" "net" {
  vnet    = proxmox_sdn_vnet.net.id
  cidr    = "10.0.0.0/24"
  gateway = "10.0.0.1"
}
resource "proxmox_sdn_ip" "printer" {
  vnet = proxmox_sdn_subnet.net.vnet
  ip   = "10.0.0.10"
  mac  = "BC:24:11:00:00:10"
}
`);
      const addresses = () => simulator.sim.world.sdn.addresses["lab"]?.["10.0.0.0/24"];
      expect(said(await terraform.apply())).toBe("");
      expect(addresses()).toMatchObject({ "10.0.0.10": { mac: "BC:24:11:00:00:10" } });
      expect(await terraform.plan()).toMatchObject({ code: 0 });
      expect(said(await terraform.destroy())).toBe("");
      expect(addresses()).toBeUndefined();
    });
  });
}
