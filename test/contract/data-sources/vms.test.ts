import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { defaultSeed } from "#simulator";
import { unknown } from "../../harness/index.ts";
import { attribute, grantLittle } from "../resource-bench.ts";
import { type Found, LookupBench } from "./lookup-bench.ts";

const guest = (vmid: number, node: string, config: object, more: object = {}) => ({ vmid, node, config, ...more });
const meta = (ctime: number) => `creation-qemu=11.0.0,ctime=${ctime}`;
const net0 = (digit: number) => `virtio=BC:24:11:00:00:0${digit},bridge=vmbr0`;

const guests = [
  guest(
    201,
    "pve1",
    {
      name: "web-1",
      tags: "prod;web",
      cores: 4,
      memory: 8192,
      agent: 1,
      scsi0: "local-lvm:vm-201-disk-0,size=8G",
      ide2: "local-lvm:vm-201-cloudinit,media=cdrom,size=4M",
      net0: net0(1),
      net1: net0(2),
      ipconfig0: "ip=192.0.2.11/24,gw=192.0.2.1",
      ciuser: "ops",
      meta: meta(1_767_225_600),
      smbios1: "uuid=00000000-0000-4000-8000-000000000201",
    },
    { running: true, agent: true },
  ),
  guest(202, "pve2", { name: "web-2", tags: "web", net0: net0(3), ipconfig0: "ip=192.0.2.12/24" }),
  guest(203, "pve2", { name: "db-1", tags: "prod", net0: net0(4) }, { running: true, agent: false }),
  guest(210, "pve1", { name: "golden-old", template: 1, tags: "golden", meta: meta(1_767_225_600) }),
  guest(211, "pve2", { name: "golden-new", template: 1, tags: "golden", meta: meta(1_767_312_000) }),
  guest(212, "pve1", { name: "golden-clone", template: 1, tags: "golden", meta: meta(1_767_225_600) }),
  guest(213, "pve1", { name: "golden-ancient", template: 1, tags: "golden" }),
  guest(220, "pve1", { name: "twin" }),
  guest(221, "pve3", { name: "twin" }),
  guest(230, "pve3", {}),
  { ...guest(240, "pve1", { hostname: "container" }), type: "lxc" },
];

const seed = {
  ...defaultSeed(),
  guests,
  pools: [{ poolid: "live", vms: [201, 203] }],
  ha_resources: [{ sid: "vm:203", state: "started", max_restart: 2 }],
};

let bench: LookupBench;

beforeAll(async () => {
  bench = await LookupBench.open({ seed });
});
afterAll(() => bench.close());

const vmidsIn = ({ vms }: Found) => (vms as { vmid: number }[]).map(({ vmid }) => vmid);

describe("proxmox_vm", () => {
  test.each([{ vmid: 201 }, { name: "web-1" }])("is found by %o", async (key) => {
    const { found, warnings } = await bench.lookUp("proxmox_vm", key);
    expect(warnings).toEqual([]);
    expect(found).toMatchObject({
      vmid: 201,
      name: "web-1",
      node: "pve1",
      pool: "live",
      status: "running",
      template: false,
      tags: ["prod", "web"],
      cpu: { cores: 4 },
      memory: { size: "8G" },
      disks: { scsi0: { storage: "local-lvm", size: "8G" } },
      networks: { net0: { bridge: "vmbr0", ipv4: { address: "192.0.2.11/24", gateway: "192.0.2.1" } } },
      cloud_init: { user: "ops" },
      mac_addresses: { net0: "BC:24:11:00:00:01", net1: "BC:24:11:00:00:02" },
      ip_addresses: { net0: ["192.0.2.11"] },
      ipv4_address: "192.0.2.11",
      ipv6_address: null,
      ha: null,
      created: "2026-01-01T00:00:00Z",
      addresses: null,
    });
  });

  test.each([201, 203, 211, 230])("has the same values for VM %i as the resource", async (vmid) => {
    const { addresses: _, created: __, ...found } = (await bench.lookUp("proxmox_vm", { vmid })).found;
    const resource = attribute(await bench.resource("proxmox_vm").import({ id: String(vmid) })) as Found;
    expect(Object.keys(found).length).toBeGreaterThan(50);
    const { inherited: _inherited, pending: _pending, ...shared } = resource;
    expect(given(found)).toEqual(given(shared));
  });

  test("shows the templates' disks, and VMs without a name", async () => {
    const { found } = await bench.lookUp("proxmox_vm", { vmid: 230 });
    expect(found).toMatchObject({ vmid: 230, name: null, disks: null, created: null, ip_addresses: {} });
  });

  test("is asked for its addresses only on request", async () => {
    const { found } = await bench.lookUp("proxmox_vm", { name: "web-1", addresses: "agent" });
    const addresses = found["ip_addresses"] as Record<string, string[]>;
    expect(addresses["net0"]).toContain("192.0.2.11");
    expect(Object.keys(addresses)).toEqual(["net0", "net1"]);
  });

  test("has only configured addresses when the agent does not respond", async () => {
    const { found, warnings } = await bench.lookUp("proxmox_vm", { vmid: 203, addresses: "agent" });
    expect({ addresses: found["ip_addresses"], warnings }).toEqual({ addresses: {}, warnings: [] });
  });

  test.each([
    ["no search argument", {}, /VMID or name needed.*either by `vmid` or by `name`/],
    ["two search arguments", { vmid: 201, name: "web-1" }, /VMID and name given/],
    ["an invalid VMID", { vmid: 7 }, /Must be at least 100/],
    ["an empty name", { name: "" }, /Must not be empty/],
    ["an unknown source of addresses", { vmid: 201, addresses: "guess" }, /configured.*agent/],
    [
      "an ambiguous name",
      { name: "twin" },
      /2 VMs are named "twin": 220 on pve1, 221 on pve3\. Look one up by its `vmid`/,
    ],
    ["an unused VMID", { vmid: 999 }, /There is no VM 999/],
    ["the VMID of a container", { vmid: 240 }, /240 is a container on pve1, not a VM/],
    ["a name misspelt", { name: "web1" }, /none is named "web1"\. Near it: "web-1", "web-2".*lacks VM\.Audit/],
    [
      "a name without similar ones",
      { name: "zzzzzzzzzz" },
      /none is named "zzzzzzzzzz"\. A VM on which root@pam!admin lacks/,
    ],
  ])("is not found by %s", async (_, config, message) => {
    await expect(bench.lookUp("proxmox_vm", config)).rejects.toThrow(message);
  });

  test("is not checked while its search argument is unknown", async () => {
    for (const config of [{ vmid: unknown }, { name: unknown }, { vmid: unknown, name: unknown }]) {
      expect((await bench.validate("proxmox_vm", config)).validation.diagnostics).toEqual([]);
    }
  });

  test.each([
    [{ vmid: 201 }, {}],
    [{ name: "web-1", addresses: "agent" }, { "GET /nodes/{node}/qemu/{vmid}/agent/network-get-interfaces": 1 }],
    [{ vmid: 203 }, { "GET /cluster/ha/resources": 1 }],
  ])("takes one configuration besides the shared view of the cluster: %o", async (config, more) => {
    expect(await bench.calls("proxmox_vm", config)).toEqual({
      "GET /cluster/resources": 1,
      "GET /nodes/{node}/qemu": 3,
      "GET /nodes/{node}/qemu/{vmid}/config": 1,
      ...more,
    });
  });

  test("shares its view of the cluster with other look-ups of the same run", async () => {
    const { log } = bench.simulator.sim;
    log.clear();
    await bench.restart();
    for (const vmid of [201, 202, 203]) await bench.lookUp("proxmox_vm", { vmid });
    await bench.lookUp("proxmox_vms", {});
    const { calls } = log.summary() as { calls: { endpoint: string; count: number }[] };
    const count = (endpoint: string) => calls.find((call) => call.endpoint === endpoint)?.count;
    expect(count("GET /cluster/resources")).toBe(1);
    expect(count("GET /nodes/{node}/qemu")).toBe(3);
    expect(count("GET /nodes/{node}/qemu/{vmid}/config")).toBe(3);
  });

  test("finds a VM that the same run has just created", async () => {
    await bench.restart();
    await bench.lookUp("proxmox_vms", {});
    const config = { name: "fresh", clone: { template: "golden-new" } };
    const made = await bench
      .resource("proxmox_vm")
      .apply(await bench.resource("proxmox_vm").plan(null, config), config);
    // The list first: looking for one VM reads the cluster once more before it fails.
    const { vmids } = (await bench.lookUp("proxmox_vms", { name: "fresh" })).found;
    expect(vmids).toEqual({ fresh: attribute(made, "vmid") });
    expect((await bench.lookUp("proxmox_vm", { name: "fresh" })).found["vmid"]).toBe(attribute(made, "vmid"));
    await bench.resource("proxmox_vm").destroy(made);
  });
});

describe("proxmox_vms", () => {
  test.each<{ what: string; config: Record<string, string | boolean | string[]>; found: number[] }>([
    { what: "every VM and no container", config: {}, found: [201, 202, 203, 210, 211, 212, 213, 220, 221, 230] },
    { what: "VMs by a pattern of their name", config: { name: "web-*" }, found: [201, 202] },
    { what: "VMs of a node", config: { node: "pve3" }, found: [221, 230] },
    { what: "VMs of a pool", config: { pool: "live" }, found: [201, 203] },
    { what: "VMs that have all tags", config: { tags: ["web", "PROD"] }, found: [201] },
    { what: "templates", config: { template: true }, found: [210, 211, 212, 213] },
    { what: "VMs that run", config: { status: "running" }, found: [201, 203] },
    { what: "VMs by everything at once", config: { name: "*-1", status: "running", pool: "live" }, found: [201, 203] },
    { what: "nothing", config: { name: "missing-*" }, found: [] },
    { what: "the newest template of a tag", config: { tags: ["golden"], newest: true }, found: [211] },
    { what: "the later of equally old clones", config: { name: "golden-*", node: "pve1", newest: true }, found: [212] },
    { what: "the newest of one", config: { name: "golden-old", newest: true }, found: [210] },
    { what: "the newest of none", config: { name: "missing", newest: true }, found: [] },
  ])("finds $what", async ({ config, found }) => {
    const lookup = await bench.lookUp("proxmox_vms", config);
    expect(vmidsIn(lookup.found)).toEqual(found);
    expect(lookup.warnings).toEqual([]);
  });

  test("describes the VMs found, by name and one by one", async () => {
    const { found } = await bench.lookUp("proxmox_vms", { pool: "live" });
    expect(found).toMatchObject({
      vmids: { "web-1": 201, "db-1": 203 },
      node_names: { "web-1": "pve1", "db-1": "pve2" },
      ipv4_addresses: {},
      ipv6_addresses: {},
    });
    const none = { ip_addresses: null, ipv4_address: null, ipv6_address: null };
    expect(found["vms"]).toEqual([
      {
        vmid: 201,
        name: "web-1",
        node: "pve1",
        status: "running",
        template: false,
        tags: ["prod", "web"],
        pool: "live",
        ...none,
      },
      {
        vmid: 203,
        name: "db-1",
        node: "pve2",
        status: "running",
        template: false,
        tags: ["prod"],
        pool: "live",
        ...none,
      },
    ]);
  });

  test("has the lowest VMID of a shared name, and no entry for VMs without a name", async () => {
    const { found } = await bench.lookUp("proxmox_vms", { node: "pve3" });
    expect(found["vmids"]).toEqual({ twin: 221 });
    expect((await bench.lookUp("proxmox_vms", { name: "twin" })).found["vmids"]).toEqual({ twin: 220 });
  });

  test("finds configured addresses and, on request, those of the agents", async () => {
    const configured = await bench.lookUp("proxmox_vms", { name: "web-*", addresses: "configured" });
    expect(configured.found["ipv4_addresses"]).toEqual({ "web-1": "192.0.2.11", "web-2": "192.0.2.12" });
    const { found } = await bench.lookUp("proxmox_vms", { pool: "live", addresses: "agent" });
    const [web, db] = found["vms"] as { ip_addresses: Record<string, string[]> }[];
    expect(Object.keys(web?.ip_addresses ?? {})).toEqual(["net0", "net1"]);
    expect(db?.ip_addresses).toEqual({});
  });

  test.each([
    ["a list", { name: "*" }, {}],
    ["the newest of four", { tags: ["golden"], newest: true }, { "GET /nodes/{node}/qemu/{vmid}/config": 4 }],
    ["the newest of one", { name: "golden-old", newest: true }, {}],
    [
      "two configured addresses",
      { name: "web-*", addresses: "configured" },
      { "GET /nodes/{node}/qemu/{vmid}/config": 2 },
    ],
  ])("reads the cluster and each node once for %s", async (_, config, more) => {
    expect(await bench.calls("proxmox_vms", config)).toEqual({
      "GET /cluster/resources": 1,
      "GET /nodes/{node}/qemu": 3,
      ...more,
    });
  });

  test("lists the available nodes when given an unknown one", async () => {
    const message = /Node `pve9` does not exist\. Available: `pve1`, `pve2`, `pve3`\./;
    await expect(bench.lookUp("proxmox_vms", { node: "pve9" })).rejects.toThrow(message);
  });

  test("continues when a node is down, and reports the limits", async () => {
    const node = bench.simulator.sim.world.nodes["pve2"];
    if (node) node.online = false;
    await bench.restart();
    const { found } = await bench.lookUp("proxmox_vms", { node: "pve2" });
    expect(vmidsIn(found)).toEqual(expect.arrayContaining([202, 211]));
    const newest = await bench.lookUp("proxmox_vms", { template: true, newest: true });
    expect(vmidsIn(newest.found)).toEqual([212]);
    expect(newest.warnings.map(({ detail }) => detail).join()).toMatch(
      /^VMs on `pve2` are chosen and shown by the last data/,
    );
    await expect(bench.lookUp("proxmox_vm", { vmid: 202 })).rejects.toThrow(/Node pve2 is offline/);
    if (node) node.online = true;
  });
});

test("a caller that may not use the guest agent gets a message, and only on request", async () => {
  const provisioner = (bench.simulator.sim.world.access.roles["Provisioner"] ?? []) as string[];
  provisioner.splice(provisioner.indexOf("VM.GuestAgent.Audit"), 1);
  await bench.restart("terraform@pve!tf");
  expect((await bench.lookUp("proxmox_vm", { vmid: 201 })).found["ipv4_address"]).toBe("192.0.2.11");
  for (const [type, key] of [["proxmox_vm", { vmid: 201 }] as const, ["proxmox_vms", { name: "web-1" }] as const]) {
    await expect(bench.lookUp(type, { ...key, addresses: "agent" })).rejects.toThrow(/Grant VM\.GuestAgent\.Audit/);
  }
});

describe("a caller without privileges on VMs", () => {
  beforeAll(async () => {
    grantLittle(bench.simulator);
    await bench.restart("noacl@pve!tf");
  });

  test("gets a message that it sees no VM, with the reason", async () => {
    const { found, warnings } = await bench.lookUp("proxmox_vms", {});
    expect(found["vms"]).toEqual([]);
    expect(warnings.map(({ summary, detail }) => `${summary}: ${detail}`).join()).toMatch(
      /No VM can be seen: Grant VM\.Audit on `\/vms`.*noacl@pve!tf/,
    );
  });

  test("gets a message that a VM exists but is hidden", async () => {
    await expect(bench.lookUp("proxmox_vm", { vmid: 201 })).rejects.toThrow(/VM 201 cannot be seen.*Grant VM\.Audit/s);
    await expect(bench.lookUp("proxmox_vm", { name: "web-1" })).rejects.toThrow(/noacl@pve!tf lacks VM\.Audit/);
  });
});

/** The values at any depth: the resource also has attributes that only a configuration can set. */
function given(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(given);
  if (typeof value !== "object" || value === null) return value;
  const members = Object.entries(value).filter(([, member]) => member !== null);
  return Object.fromEntries(members.map(([name, member]) => [name, given(member)]));
}
