import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { defaultSeed } from "#simulator";
import { LookupBench } from "./lookup-bench.ts";

const gibibyte = 1024 ** 3;

const { storages, ...rest } = defaultSeed() as { storages: object[] };

const seed = {
  ...rest,
  storages: [
    ...storages,
    { storage: "attic", type: "dir", path: "/srv/attic", content: ["iso"], nodes: ["pve3"], total_bytes: gibibyte },
    { storage: "old", type: "dir", path: "/srv/old", content: ["iso"], enabled: 0, total_bytes: gibibyte },
  ],
  pools: [
    { poolid: "prod", comment: "what counts", vms: [9000] },
    { poolid: "prod/web", vms: [9002, 9001] },
    { poolid: "lab" },
  ],
  iso_files: [
    { volid: "nas:iso/talos-1.11.iso", size: "100M" },
    { volid: "nas:iso/debian-13.iso", size: "700M" },
    { volid: "local:iso/only-here.iso", size: "1M" },
  ],
  import_files: [{ volid: "nas:import/debian-13.qcow2", size: "3G" }],
  container_templates: ["nas:vztmpl/debian-13-standard_13.1-1_amd64.tar.zst"],
  snippets: ["nas:snippets/user.yaml"],
  backups: ["nas:backup/vzdump-qemu-9000-2026_01_01-00_00_00.vma.zst"],
  sdn: {
    zones: [{ zone: "tenants", type: "simple" }],
    vnets: [
      { vnet: "blue", zone: "tenants", alias: "for tenants" },
      { vnet: "green", zone: "tenants" },
    ],
  },
  mappings: {
    pci: [
      {
        id: "gpu",
        description: "for inference",
        map: [
          "node=pve2,path=0000:01:00.0,id=10de:1eb8,subsystem-id=10de:12a2,iommugroup=7",
          "node=pve1,path=0000:01:00.0;0000:01:00.1,id=10de:1eb8,iommugroup=7",
        ],
      },
    ],
    usb: [{ id: "stick", map: ["node=pve1,id=0951:1666"] }],
    dir: [{ id: "media", map: ["node=pve3,path=/srv/media"] }],
  },
  users: [...(rest as unknown as { users: object[] }).users, { userid: "few@pve" }],
  tokens: [
    ...(rest as unknown as { tokens: object[] }).tokens,
    { tokenid: "few@pve!tf", secret: "00000000-0000-4000-8000-000000000004", privsep: 0 },
  ],
  roles: {
    ...(rest as unknown as { roles: object }).roles,
    Uses: ["SDN.Use"],
    Sees: ["SDN.Audit", "Datastore.AllocateSpace"],
  },
  acl: [
    ...(rest as unknown as { acl: object[] }).acl,
    { path: "/sdn/zones/localnetwork/vmbr0/20", type: "user", ugid: "few@pve", roleid: "Uses" },
    { path: "/sdn/zones/localnetwork/vmbr1", type: "user", ugid: "few@pve", roleid: "Sees", propagate: 0 },
    { path: "/sdn/zones/tenants/blue", type: "user", ugid: "few@pve", roleid: "Uses" },
    { path: "/sdn/zones/tenants/green", type: "user", ugid: "few@pve", roleid: "Sees" },
    { path: "/storage/nas", type: "user", ugid: "few@pve", roleid: "Sees" },
  ],
};

let bench: LookupBench;

beforeAll(async () => {
  bench = await LookupBench.open({ seed });
});
afterAll(() => bench.close());

const look = async (type: string, config = {}) => (await bench.lookUp(type, config)).found;

/** One column of a list of objects. */
const column = (rows: unknown, ...names: string[]) =>
  (rows as Record<string, unknown>[]).map((row) => names.map((name) => row[name]).join(" "));

describe("proxmox_version", () => {
  test("has the node's version, as text and as numbers", async () => {
    const { version, release, repoid } = bench.simulator.sim.world.version;
    const [major, minor] = release.split(".").map(Number);
    expect(await look("proxmox_version")).toEqual({ version, release, major, minor, repository_id: repoid });
  });
});

describe("proxmox_nodes", () => {
  test("has the address and the size of each node", async () => {
    const found = await look("proxmox_nodes");
    expect(found).toMatchObject({
      cluster_name: "simulated",
      names: ["pve1", "pve2", "pve3"],
      addresses: Object.fromEntries(
        Object.values(bench.simulator.sim.world.nodes).map(({ name, address }) => [name, address]),
      ),
    });
    const size = { cpus: 16, memory_bytes: 64 * gibibyte };
    expect(found["nodes"]).toMatchObject(["pve1", "pve2", "pve3"].map((name) => ({ name, online: true, ...size })));
  });

  test("filters by online status", async () => {
    const node = bench.simulator.sim.world.nodes["pve2"];
    if (node) node.online = false;
    await bench.restart();
    expect((await look("proxmox_nodes", { online: true }))["names"]).toEqual(["pve1", "pve3"]);
    const down = await look("proxmox_nodes", { online: false });
    expect(down).toMatchObject({ names: ["pve2"], nodes: [{ online: false, memory_used_bytes: null }] });
    if (node) node.online = true;
    await bench.restart();
  });

  test("includes a node without a cluster", async () => {
    const alone = await LookupBench.open({ seed: defaultSeed(["pve"]) });
    const { found } = await alone.lookUp("proxmox_nodes");
    expect(found).toMatchObject({ cluster_name: null, names: ["pve"], addresses: { pve: expect.any(String) } });
    await alone.close();
  });
});

describe("proxmox_storage", () => {
  test("has the definition, and what each node sees", async () => {
    const found = await look("proxmox_storage", { id: "attic" });
    expect(found).toMatchObject({
      type: "dir",
      content: ["iso"],
      nodes: ["pve3"],
      enabled: true,
      shared: false,
      options: { path: "/srv/attic" },
      status: { pve3: { active: true, total_bytes: gibibyte } },
    });
    expect(Object.keys(found["status"] as object)).toEqual(["pve3"]);
  });

  test("asks one node alone, and says that a storage is not used", async () => {
    const nas = await look("proxmox_storage", { id: "nas", node: "pve2" });
    expect(Object.keys(nas["status"] as object)).toEqual(["pve2"]);
    expect(nas).toMatchObject({ nodes: null, shared: true });
    expect(await look("proxmox_storage", { id: "old" })).toMatchObject({ enabled: false, status: {} });
  });

  test("refuses a storage that is not there with the names of the others", async () => {
    await expect(look("proxmox_storage", { id: "nsa" })).rejects.toThrow(/Storage `nsa` does not exist.*`nas`/s);
  });
});

describe("proxmox_storages", () => {
  test("lists each storage as each node sees it", async () => {
    const found = await look("proxmox_storages", { node: "pve3", enabled: true });
    expect(found["names"]).toEqual(["attic", "ceph", "local", "local-lvm", "local-zfs", "nas"]);
    expect((found["storages"] as unknown[])[2]).toEqual({
      name: "local",
      node: "pve3",
      type: "dir",
      content: ["backup", "import", "iso", "snippets", "vztmpl"],
      shared: false,
      enabled: true,
      active: true,
      total_bytes: 200 * gibibyte,
      used_bytes: expect.any(Number),
      free_bytes: expect.any(Number),
    });
  });

  test("lists the nodes of each, in a stable order", async () => {
    const found = await look("proxmox_storages", { content: "iso", enabled: true });
    expect(found["nodes"]).toEqual({
      attic: ["pve3"],
      local: ["pve1", "pve2", "pve3"],
      nas: ["pve1", "pve2", "pve3"],
    });
    expect(column(found["storages"], "name", "node")).toEqual([
      "attic pve3",
      "local pve1",
      "local pve2",
      "local pve3",
      "nas pve1",
      "nas pve2",
      "nas pve3",
    ]);
  });

  test("shows storages that are disabled, or on other nodes, as not enabled", async () => {
    const found = await look("proxmox_storages", { node: "pve1", enabled: false });
    expect(column(found["storages"], "name", "enabled", "active")).toEqual(["attic false false", "old false false"]);
  });
});

describe("proxmox_networks", () => {
  test("lists bridges and vnets of every node", async () => {
    const found = await look("proxmox_networks");
    expect(found["names"]).toEqual(["blue", "green", "vmbr0", "vmbr1"]);
    expect((found["nodes"] as Record<string, unknown>)["vmbr0"]).toEqual(["pve1", "pve2", "pve3"]);
  });

  test("describes them", async () => {
    const found = await look("proxmox_networks", { node: "pve1" });
    const usual = { node: "pve1", active: true, vlan_only: false, cidr6: null };
    expect(found["networks"]).toMatchObject([
      { ...usual, name: "blue", type: "vnet", zone: "tenants", vlan_aware: false, comment: "for tenants", cidr: null },
      { ...usual, name: "green", type: "vnet", zone: "tenants", vlan_aware: false, comment: null, cidr: null },
      { ...usual, name: "vmbr0", type: "bridge", zone: "localnetwork", vlan_aware: true },
      { ...usual, name: "vmbr1", type: "bridge", zone: "localnetwork", vlan_aware: true, cidr: null },
    ]);
  });

  test.each([
    [{ type: "vnet" }, ["blue", "green"]],
    [{ type: "bridge", name: "*1" }, ["vmbr1"]],
    [{ type: "ovs_bridge" }, []],
  ])("filters by %o", async (config, names) => {
    expect((await look("proxmox_networks", config))["names"]).toEqual(names);
  });
});

describe("proxmox_pools", () => {
  test("lists pools with their guests", async () => {
    expect(await look("proxmox_pools")).toEqual({
      id: null,
      ids: ["lab", "prod", "prod/web"],
      pools: [
        { id: "lab", comment: null, vmids: [] },
        { id: "prod", comment: "what counts", vmids: [9000] },
        { id: "prod/web", comment: null, vmids: [9001, 9002] },
      ],
    });
  });

  test("filters by a pattern", async () => {
    expect((await look("proxmox_pools", { id: "prod/*" }))["ids"]).toEqual(["prod/web"]);
  });
});

describe("proxmox_hardware_mappings", () => {
  test("lists mapped devices by node", async () => {
    const found = await look("proxmox_hardware_mappings");
    expect(found["names"]).toEqual(["gpu", "media", "stick"]);
    const nothing = { device_id: null, subsystem_id: null, iommu_group: null, description: null };
    const gpu = { ...nothing, device_id: "10de:1eb8", iommu_group: 7 };
    expect(found["mappings"]).toEqual([
      {
        name: "gpu",
        type: "pci",
        comment: "for inference",
        nodes: ["pve1", "pve2"],
        entries: [
          { ...gpu, node: "pve1", path: "0000:01:00.0" },
          { ...gpu, node: "pve1", path: "0000:01:00.1" },
          { ...gpu, node: "pve2", path: "0000:01:00.0", subsystem_id: "10de:12a2" },
        ],
      },
      {
        name: "media",
        type: "dir",
        comment: null,
        nodes: ["pve3"],
        entries: [{ ...nothing, node: "pve3", path: "/srv/media" }],
      },
      {
        name: "stick",
        type: "usb",
        comment: null,
        nodes: ["pve1"],
        entries: [{ ...nothing, node: "pve1", path: null, device_id: "0951:1666" }],
      },
    ]);
  });

  test.each([
    [{ type: "usb" }, ["stick usb pve1"]],
    [{ node: "pve1" }, ["gpu pci pve1", "stick usb pve1"]],
    [{ node: "pve2", type: "dir" }, []],
  ])("filters by %o", async (config, rows) => {
    const { mappings } = await look("proxmox_hardware_mappings", config);
    expect(column(mappings, "name", "type", "nodes")).toEqual(rows);
  });
});

describe("proxmox_files", () => {
  test("lists the files on a shared storage, from any node", async () => {
    const found = await look("proxmox_files", { storage: "nas", content: "iso" });
    expect(found["volume_ids"]).toEqual({
      "debian-13.iso": "nas:iso/debian-13.iso",
      "talos-1.11.iso": "nas:iso/talos-1.11.iso",
    });
    expect((found["files"] as unknown[])[0]).toEqual({
      volume_id: "nas:iso/debian-13.iso",
      name: "debian-13.iso",
      content: "iso",
      format: expect.any(String),
      size_bytes: 700 * 1024 ** 2,
      created: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
      vmid: null,
      protected: false,
      notes: null,
    });
  });

  test.each([
    [{ content: "import" }, ["nas:import/debian-13.qcow2"]],
    [{ content: "vztmpl" }, ["nas:vztmpl/debian-13-standard_13.1-1_amd64.tar.zst"]],
    [{ content: "snippets" }, ["nas:snippets/user.yaml"]],
    [{ content: "backup" }, ["nas:backup/vzdump-qemu-9000-2026_01_01-00_00_00.vma.zst"]],
    [{ name: "debian-13.*" }, ["nas:import/debian-13.qcow2", "nas:iso/debian-13.iso"]],
    [{ name: "none-*" }, []],
    [{ name: "none-*", newest: true }, []],
  ])("filters by %o", async (config, ids) => {
    expect(column((await look("proxmox_files", { storage: "nas", ...config }))["files"], "volume_id")).toEqual(ids);
  });

  test("finds disks with their owner", async () => {
    const { files } = await look("proxmox_files", { storage: "ceph", content: "images", name: "base-9001-*" });
    expect(files).toMatchObject([{ volume_id: "ceph:base-9001-disk-0", vmid: 9001, format: "raw" }]);
  });

  test("keeps the newest", async () => {
    const iso = bench.simulator.sim.world.volumes.find(({ volid }) => volid === "nas:iso/talos-1.11.iso");
    if (iso) iso.ctime = 1_893_456_000;
    const { files } = await look("proxmox_files", { storage: "nas", content: "iso", newest: true });
    expect(column(files, "name", "created")).toEqual(["talos-1.11.iso 2030-01-01T00:00:00Z"]);
  });

  test("reads the only node with the storage, or the given one", async () => {
    expect((await look("proxmox_files", { storage: "attic" }))["files"]).toEqual([]);
    const { files } = await look("proxmox_files", { storage: "local", node: "pve1", content: "iso" });
    expect(column(files, "name")).toEqual(["only-here.iso"]);
  });
});

describe("proxmox_permissions", () => {
  test("lists the caller's privileges by path", async () => {
    const found = await look("proxmox_permissions");
    const privileges = found["privileges"] as Record<string, string[]>;
    expect(found["identity"]).toBe("root@pam!admin");
    expect(privileges["/vms"]).toContain("VM.Allocate");
    expect(privileges["/vms"]).toEqual([...(privileges["/vms"] ?? [])].sort());
    expect(found["propagated"]).toEqual(privileges);
  });

  test("answers for one path, whether it has an entry or not", async () => {
    const found = await look("proxmox_permissions", { path: "/vms/4711" });
    expect(Object.keys(found["privileges"] as object)).toEqual(["/vms/4711"]);
  });
});

describe("bad input", () => {
  test.each([
    ["proxmox_storages", { node: "pve9" }, /Node `pve9` does not exist\. Available: `pve1`, `pve2`, `pve3`\./],
    ["proxmox_networks", { node: "pve9" }, /Node `pve9` does not exist/],
    ["proxmox_hardware_mappings", { node: "pve9" }, /Node `pve9` does not exist/],
    ["proxmox_files", { storage: "nas", node: "pve9" }, /Node `pve9` does not exist/],
    ["proxmox_files", { storage: "nass" }, /Storage `nass` does not exist.*Available: `nas`, `attic`, `ceph`, /],
    ["proxmox_files", { storage: "local" }, /another one on each node.*`pve1`, `pve2`, `pve3`/],
    [
      "proxmox_files",
      { storage: "ceph", content: "iso" },
      /`ceph` holds no `iso`\. It is set up for `images`, `rootdir`/,
    ],
    ["proxmox_files", { storage: "nas", content: "movies" }, /iso/],
    ["proxmox_storages", { content: "movies" }, /images/],
    ["proxmox_networks", { type: "wire" }, /vnet/],
    ["proxmox_hardware_mappings", { type: "gpu" }, /pci/],
    ["proxmox_permissions", { path: "vms" }, /a path such as `\/`/],
  ])("to %s is explained: %o", async (type, config, message) => {
    await expect(bench.lookUp(type, config)).rejects.toThrow(message);
  });

  test("that names an offline node is explained", async () => {
    const node = bench.simulator.sim.world.nodes["pve2"];
    if (node) node.online = false;
    await bench.restart();
    const message = /Node pve2 is offline.*Online: `pve1`, `pve3`/;
    await expect(bench.lookUp("proxmox_storages", { node: "pve2" })).rejects.toThrow(message);
    expect((await look("proxmox_storages"))["nodes"]).toMatchObject({ nas: ["pve1", "pve3"] });
    if (node) node.online = true;
    await bench.restart();
  });
});

describe("few calls", () => {
  const inventory = { "GET /cluster/resources": 1 };
  test.each([
    ["proxmox_version", {}, { "GET /version": 1 }],
    ["proxmox_nodes", {}, { "GET /cluster/status": 1 }],
    ["proxmox_storages", {}, { "GET /nodes/{node}/storage": 3 }],
    ["proxmox_storages", { node: "pve1" }, { "GET /nodes/{node}/storage": 1 }],
    [
      "proxmox_networks",
      { node: "pve1" },
      { "GET /nodes/{node}/network": 1, "GET /access/permissions": 1, "GET /cluster/sdn/vnets": 1 },
    ],
    ["proxmox_networks", { type: "bridge" }, { "GET /nodes/{node}/network": 3, "GET /access/permissions": 1 }],
    ["proxmox_pools", {}, { "GET /pools": 1 }],
    ["proxmox_hardware_mappings", { type: "pci" }, { "GET /cluster/mapping/pci": 1 }],
    ["proxmox_files", { storage: "nas" }, { "GET /nodes/{node}/storage/{storage}/content": 1 }],
    ["proxmox_permissions", {}, { "GET /access/permissions": 1 }],
  ])("%s %o takes the fewest calls", async (type, config, calls) => {
    expect(await bench.calls(type, config)).toEqual({ ...inventory, ...calls });
  });
});

describe("a caller with few privileges", () => {
  beforeAll(() => bench.restart("few@pve!tf"));

  test("sees the nodes, without addresses and figures, and gets the reason", async () => {
    const { found, warnings } = await bench.lookUp("proxmox_nodes");
    expect(found).toMatchObject({ names: ["pve1", "pve2", "pve3"], addresses: {}, cluster_name: null });
    expect((found["nodes"] as unknown[])[0]).toMatchObject({ online: true, address: null, cpus: null });
    expect(warnings.map(({ detail }) => detail)).toEqual(["Grant Sys.Audit on `/` to few@pve!tf."]);
  });

  test("gets the networks that it may use, not those that are only visible", async () => {
    const { networks } = await look("proxmox_networks", { node: "pve1" });
    expect(column(networks, "name", "zone", "vlan_only")).toEqual(["blue tenants false", "vmbr0 localnetwork true"]);
  });

  test("sees the storages on which it has privileges, and no pool or mapping", async () => {
    expect((await look("proxmox_storages"))["names"]).toEqual(["nas"]);
    expect((await look("proxmox_pools"))["pools"]).toEqual([]);
    expect((await look("proxmox_hardware_mappings"))["mappings"]).toEqual([]);
  });

  test("gets the required privilege of a storage that it may not read", async () => {
    await expect(bench.lookUp("proxmox_files", { storage: "local" })).rejects.toThrow(
      /you lack Datastore\.Audit on it/,
    );
    await expect(bench.lookUp("proxmox_files", { storage: "local", node: "pve1" })).rejects.toThrow(
      /Grant Datastore\.Audit or Datastore\.AllocateSpace on \/storage\/local/,
    );
  });

  test("can read a storage that is hidden in its view of the cluster, by naming a node", async () => {
    const { files } = await look("proxmox_files", { storage: "nas", node: "pve1", content: "iso" });
    expect(column(files, "name")).toEqual(["debian-13.iso", "talos-1.11.iso"]);
  });

  test("gets its privileges, and which of them propagate", async () => {
    const found = await look("proxmox_permissions");
    expect(found).toMatchObject({
      identity: "few@pve!tf",
      privileges: { "/sdn/zones/localnetwork/vmbr1": ["Datastore.AllocateSpace", "SDN.Audit"] },
      propagated: { "/sdn/zones/localnetwork/vmbr1": [], "/storage/nas": ["Datastore.AllocateSpace", "SDN.Audit"] },
    });
    expect(await look("proxmox_permissions", { path: "/vms/100" })).toMatchObject({ privileges: { "/vms/100": [] } });
  });
});
