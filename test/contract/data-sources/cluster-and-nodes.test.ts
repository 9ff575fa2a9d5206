import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { defaultSeed } from "#simulator";
import { LookupBench } from "./lookup-bench.ts";

let bench: LookupBench;

beforeAll(async () => {
  bench = await LookupBench.open({
    seed: {
      ...defaultSeed(),
      ceph: { flags: ["noout"] },
      ha_resources: [{ sid: "vm:9000", state: "stopped" }],
    },
  });
  const { acme, nodes } = bench.simulator.sim.world;
  const directory = "https://acme-v02.api.letsencrypt.org/directory";
  acme.accounts["lab"] = {
    contact: [],
    directory,
    location: "https://example.com/1",
    createdAt: "2026-01-01T00:00:00Z",
  };
  acme.plugins["cloudflare"] = { type: "dns", options: { api: "cf", data: "CF_Token=secret", nodes: "pve1" } };
  const entry = {
    Package: "pve-manager",
    Version: "9.2.12",
    OldVersion: "9.2.11",
    Origin: "Proxmox",
    Title: "Manager",
  };
  if (nodes["pve1"]) nodes["pve1"].updates = [entry, { ...entry, Package: "bash", Origin: "Debian" }];
});
afterAll(() => bench.close());

const look = async (type: string, config = {}) => (await bench.lookUp(type, config)).found;

test("accounts and plugins of ACME are listed without secrets", async () => {
  expect((await look("proxmox_acme_accounts"))["names"]).toEqual(["lab"]);
  const { plugins } = (await look("proxmox_acme_plugins", { kind: "dns" })) as { plugins: object[] };
  expect(plugins).toEqual([
    { id: "cloudflare", kind: "dns", api: "cf", nodes: ["pve1"], enabled: true, validation_delay: null },
  ]);
  expect((await look("proxmox_acme_plugins"))["ids"]).toEqual(["cloudflare", "standalone"]);
});

test("authorities and DNS APIs are listed", async () => {
  const { directories, dns_apis } = await look("proxmox_acme_directories");
  expect(directories).toContainEqual({
    name: "Let's Encrypt V2",
    url: "https://acme-v02.api.letsencrypt.org/directory",
  });
  expect(dns_apis).toContain("cf");
});

test("the state of Ceph is shown", async () => {
  expect(await look("proxmox_ceph_status")).toMatchObject({ installed: true, health: "HEALTH_WARN", problems: [] });
});

test("a cluster without Ceph is no failure", async () => {
  const { world } = bench.simulator.sim;
  const { ceph } = world;
  Object.assign(world, { ceph: undefined });
  expect(await look("proxmox_ceph_status")).toMatchObject({ installed: false, health: null, quorum: [] });
  Object.assign(world, { ceph });
});

test("everything in the cluster is one list, with filters", async () => {
  const { resources } = (await look("proxmox_cluster_resources", { kind: "qemu", name: "debian-*" })) as {
    resources: object[];
  };
  expect(resources).toMatchObject([{ id: "qemu/9001", vmid: 9001, template: true, node: expect.any(String) }]);
  expect((await look("proxmox_cluster_resources", { kind: "node" }))["ids"]).toEqual([
    "node/pve1",
    "node/pve2",
    "node/pve3",
  ]);
});

test("the cluster has a quorum, and its nodes their addresses", async () => {
  expect(await look("proxmox_cluster_status")).toMatchObject({
    quorate: true,
    nodes: [
      { name: "pve1", address: "192.0.2.11", online: true, local: true },
      { name: "pve2", online: true, local: false },
      { name: "pve3", online: true, local: false },
    ],
  });
});

test("the state of HA is listed", async () => {
  expect((await look("proxmox_ha_status", { kind: "service" }))["entries"]).toMatchObject([{ sid: "vm:9000" }]);
  expect((await look("proxmox_ha_status", { kind: "quorum" }))["entries"]).toMatchObject([{ quorate: true }]);
});

test("tasks are listed with their results", async () => {
  const { tasks } = bench.simulator.sim.world;
  const upid = "UPID:pve1:000003E8:0000C350:6A000000:vzdump:100:root@pam:";
  const record = { upid, node: "pve1", pid: 1000, pstart: 50_000, starttime: 1_778_384_896, type: "vzdump", id: "100" };
  tasks.push({ ...record, user: "root@pam", exitstatus: "OK", archived: 1_778_384_900, log: [] } as never);
  expect((await look("proxmox_tasks", { kind: "vzdump" }))["tasks"]).toEqual([
    {
      upid,
      node: "pve1",
      kind: "vzdump",
      subject: "100",
      user: "root@pam",
      status: "OK",
      started: "2026-05-10T03:48:16Z",
      ended: "2026-05-10T03:48:20Z",
    },
  ]);
});

describe("proxmox_node", () => {
  test("shows versions, hardware and the certificate", async () => {
    expect(await look("proxmox_node", { name: "pve1" })).toMatchObject({
      version: bench.simulator.sim.world.version.version,
      cpus: expect.any(Number),
      time_zone: "Etc/UTC",
      fingerprint: expect.stringMatching(/^([0-9A-F]{2}:){31}/),
      cpu_models: expect.arrayContaining(["kvm64"]),
      cpu_sockets: expect.any(Number),
      cpu_cores: expect.any(Number),
    });
  });

  test("shows the settings that resources change", async () => {
    const host = bench.simulator.sim.world.nodes["pve1"];
    if (host) host.config = { ...host.config, description: "rack 7" };
    expect(await look("proxmox_node", { name: "pve1" })).toMatchObject({
      description: expect.stringContaining("rack 7"),
      dns: { search_domain: expect.any(String), servers: [expect.any(String)] },
      hosts: expect.stringContaining("pve1"),
      repositories: expect.arrayContaining([
        expect.objectContaining({
          path: expect.stringMatching(/^\/etc\/apt\//),
          index: 0,
          enabled: expect.any(Boolean),
        }),
      ]),
      standard_repositories: expect.arrayContaining([expect.objectContaining({ handle: "no-subscription" })]),
    });
  });

  test("says that a node does not exist, or does not answer", async () => {
    await expect(look("proxmox_node", { name: "pve9" })).rejects.toThrow("Node `pve9` does not exist, or the caller");
    bench.simulator.faults.order({
      do: "answer",
      call: "GET /nodes/{node}/time",
      times: 0,
      status: 595,
      reason: "No route to host",
    });
    await expect(look("proxmox_node", { name: "pve2" })).rejects.toThrow("Node `pve2` does not answer");
    bench.simulator.faults.clear();
  });
});

test("devices of a node are found by their class and ID", async () => {
  expect((await look("proxmox_node_pci_devices", { node: "pve1", class: "0x03*" }))["devices"]).toMatchObject([
    { id: "0000:02:00.0", vendor: "0x10de", iommu_group: 16, mdev: false },
  ]);
  const { ids } = (await look("proxmox_node_usb_devices", { node: "pve1" })) as { ids: string[] };
  expect(ids.every((id) => /^[0-9a-f]{4}:[0-9a-f]{4}$/.test(id)) && ids.length > 0).toBe(true);
  await expect(look("proxmox_node_pci_devices", { node: "pve9" })).rejects.toThrow("`pve9` does not exist");
});

test("packages that can be upgraded are listed by origin", async () => {
  expect((await look("proxmox_node_updates", { node: "pve1", origin: "Proxmox" }))["updates"]).toEqual([
    {
      package: "pve-manager",
      title: "Manager",
      version: "9.2.12",
      installed: "9.2.11",
      origin: "Proxmox",
      priority: null,
    },
  ]);
});
