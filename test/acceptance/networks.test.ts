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

    test("bad input is an error of the plan, at its attribute", async () => {
      terraform.configure(`
resource "proxmox_sdn_zone" "long" {
  id     = "muchtoolong"
  simple = {}
}
resource "proxmox_sdn_vnet" "tag" {
  id   = "tag"
  zone = "site"
  tag  = 16777216
}
resource "proxmox_sdn_subnet" "outside" {
  vnet    = "web"
  cidr    = "10.0.0.0/24"
  gateway = "10.0.1.1"
}
resource "proxmox_network_interface" "unaware" {
  node   = "pve1"
  name   = "vmbr7"
  bridge = { vids = ["20"] }
}
resource "proxmox_firewall_rules" "all" {
  rules = [
    { type = "in", action = "ACCEPT", proto = "tcp", dport = "90:80" },
  ]
}
resource "proxmox_firewall_rules" "node" {
  node  = "pve1"
  rules = [
    { type = "in", action = "ACCEPT", dport = "80" },
    { type = "in", action = "ACCEPT", proto = "tcp", dport = "htpp" },
  ]
}
`);
      const invalid = said(await terraform.plan());
      for (const text of [
        'id is "muchtoolong"',
        "tag is 16777216",
        "10.0.1.1 is not an address of 10.0.0.0/24",
        "bridge.vids: Only a VLAN-aware bridge",
        'rules[0].dport is "90:80". The range is reversed',
        "rules[0].dport: Ports",
        "rules[1].dport: `htpp` is not the name of a service",
      ]) {
        expect(invalid).toContain(text);
      }

      terraform.configure(`
resource "proxmox_sdn_zone" "site" {
  id   = "site"
  vlan = { bridge = "vmbr0" }
}
resource "proxmox_sdn_zone" "nat" {
  id     = "nat"
  simple = {}
}
resource "proxmox_sdn_vnet" "first" {
  id   = "first"
  zone = proxmox_sdn_zone.site.id
  tag  = 20
}
resource "proxmox_sdn_vnet" "second" {
  id         = "second"
  zone       = proxmox_sdn_zone.site.id
  tag        = 20
  depends_on = [proxmox_sdn_vnet.first]
}
resource "proxmox_sdn_vnet" "high" {
  id   = "high"
  zone = proxmox_sdn_zone.site.id
  tag  = 5000
}
resource "proxmox_sdn_vnet" "nat" {
  id   = "nat"
  zone = proxmox_sdn_zone.nat.id
}
resource "proxmox_sdn_subnet" "wide" {
  vnet = proxmox_sdn_vnet.nat.id
  cidr = "10.0.0.0/16"
}
resource "proxmox_sdn_subnet" "inside" {
  vnet       = proxmox_sdn_vnet.nat.id
  cidr       = "10.0.1.0/24"
  depends_on = [proxmox_sdn_subnet.wide]
}
resource "proxmox_firewall_rules" "all" {
  rules = [
    { type = "in", action = "ACCEPT", macro = "SHS" },
    { type = "in", action = "ACCEPT", source = "dc/nope" },
    { type = "in", action = "ACCEPT", source = "+dc/nope" },
    { security_group = "nope" },
  ]
}
`);
      const refused = said(await terraform.plan());
      for (const text of [
        "Tag taken: Vnet `first` of the same zone has tag 20",
        "Tag out of range: ",
        "Subnets overlap: 10.0.1.0/24 shares addresses with 10.0.0.0/16",
        "rules[0].macro: Macro `SHS` does not exist",
        "rules[1].source: Alias `dc/nope` does not exist",
        "rules[2].source: IP set `+dc/nope` does not exist",
        "rules[3].security_group: Security group `nope` does not exist",
      ]) {
        expect(refused).toContain(text);
      }
    });
  });
}
