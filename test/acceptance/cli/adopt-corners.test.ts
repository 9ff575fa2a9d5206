import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Simulator, startSimulator } from "#simulator";
import { findBinaries } from "../../../src/cli/terraform-binaries.ts";
import { labSeed } from "../../contract/simulator/lab.ts";
import type { PluginBinary } from "../../terraform/plugin-binary.ts";
import { buildProvider, clusterWorkspace } from "../cluster-workspace.ts";
import { type GetOnly, getOnlyProxy } from "../get-only-proxy.ts";
import { typed } from "./typed.ts";

const [binary] = findBinaries();

const vm = {
  name: "two",
  scsi0: "thin:vm-101-disk-0,discard=on,size=8G",
  scsi1: "thin:vm-101-disk-1,size=4G",
  sata0: "thin:vm-101-disk-2,serial=100%zz,size=1G",
  scsi2: "ceph:vm-900000000-data,size=4G",
  net0: "virtio=BC:24:11:00:00:01,bridge=vmbr0,tag=5",
  net1: "virtio=BC:24:11:00:00:02",
};

const container = {
  hostname: "ct",
  ostype: "debian",
  rootfs: "thin:vm-102-disk-0,size=8G",
  mp0: "thin:vm-102-disk-1,mp=/data,backup=1,size=4G",
  mp1: "thin:vm-102-disk-2,mp=/more,size=4G",
  mp2: "/srv/x,mp=/x",
  net0: "name=eth0,bridge=vmbr0,hwaddr=BC:24:11:00:00:77,type=veth",
  net1: "name=eth1,hwaddr=BC:24:11:00:00:78,type=veth",
  dev0: "/dev/dri/card0,mode=0660",
  dev1: "/dev/dri/card1",
};

/** What a plan could take for a change: plain slots beside others, one entry with two possible owners, several lines, texts that cannot be decoded. */
const seed = {
  ...labSeed,
  guests: [
    { vmid: 101, type: "qemu", node: "pve1", config: vm },
    { vmid: 102, type: "lxc", node: "pve1", config: container },
  ],
  volumes: { ceph: [{ volume: "vm-900000000-data", size: "4G" }] },
  metric_servers: [
    { id: "otel", type: "opentelemetry", server: "192.0.2.5", port: 4318, "otel-headers": '{"Authorization":"x"}' },
  ],
  backup_jobs: [{ id: "night", schedule: "daily", storage: "local", all: 1, comment: "all guests" }],
  pools: [{ poolid: "web", comment: "two\nlines" }],
  ha_resources: [
    { sid: "vm:101", state: "stopped", max_restart: 3, comment: "first" },
    { sid: "ct:102", state: "stopped", max_relocate: 2 },
  ],
};

describe.skipIf(binary === undefined)("the plan of what `adopt` writes", () => {
  let plugin: PluginBinary;
  let simulator: Simulator;
  let proxy: GetOnly;

  beforeAll(async () => {
    plugin = await buildProvider();
    simulator = await startSimulator({ speed: 100, seed });
    proxy = await getOnlyProxy(simulator);
  });
  afterAll(async () => {
    await proxy.close();
    await simulator.close();
  });

  test.each([
    ["of the whole cluster", [], []],
    ["of guests alone", ["--area", "virtual machines,containers"], ["containers.tf", "virtual_machines.tf"]],
  ])("is empty: %s", async (_, args, withHa) => {
    using terraform = clusterWorkspace(binary as NonNullable<typeof binary>, plugin, simulator);
    const { folder, env } = terraform;
    const order = ["adopt", "--json", "--out", "infra", ...args];
    const { stdout } = await typed({ plugin, simulator, proxy, folder, env }, order);
    const { plan, objects, left } = JSON.parse(stdout);
    expect(plan).toEqual({ kind: "empty", imports: objects });
    expect(left.join("\n")).not.toMatch(/proxmox_\w+:/);
    const textOf = (name: string) => readFileSync(join(folder, "infra", name), "utf8");
    const files = readdirSync(join(folder, "infra")).filter((name) => name.endsWith(".tf"));
    expect(files.filter((name) => textOf(name).includes("  ha = {"))).toEqual(withHa);
  });
});
