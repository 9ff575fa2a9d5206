import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { defaultSeed } from "#simulator";
import type { Input, Instance, ManagedResource } from "../../harness/index.ts";
import { type Rights, RightsBench, withoutEach } from "./rights-bench.ts";

const vmid = 700;
const vm = `/vms/${vmid}`;
const disc = "local:iso/debian-13.iso";

const mappings = {
  pci: [{ id: "gpu", map: ["node=pve1,path=0000:01:00.0,id=10de:1234"] }],
  usb: [{ id: "key", map: ["node=pve1,id=1050:0407"] }],
  dir: [{ id: "share", map: ["node=pve1,path=/srv/share"] }],
};

let bench: RightsBench;

beforeAll(async () => {
  bench = await RightsBench.open({ seed: { ...defaultSeed(), mappings, iso_files: [disc] } });
  bench.simulator.sim.world.access.pools["prod"] = { vms: [], storage: [] };
  bench.simulator.sim.world.access.pools["test"] = { vms: [], storage: [] };
});

afterAll(() => bench.close());

const clone = { template: "debian-13-cloud" };
const bridge = "/sdn/zones/localnetwork/vmbr0";
const base = { name: "least", vmid, clone };

/** Without any one of these rights the plan says which is missing, and where. `seen` is what every look at a VM takes. */
async function needsEach(
  rights: Rights,
  plan: (caller: ManagedResource) => Promise<unknown>,
  seen: (left: Rights) => Rights = (left) => left,
): Promise<void> {
  for (const { path, privilege, left } of withoutEach(rights)) {
    const place = path.startsWith("/vms") ? "/vms" : path;
    const refusal = await plan(await bench.poor(seen(left))).then(
      () => "the plan was made",
      (reason: Error) => reason.message,
    );
    expect(refusal, `without ${privilege} on ${path}`).toMatch(new RegExp(`${place}(/\\d+)?: .*${privilege}`));
    expect(refusal).toMatch(new RegExp(`pveum role (add|modify) terraform\\S+ --privs \\S*${privilege}`));
  }
}

const making = { [vm]: "VM.Audit VM.Allocate VM.Config.Options" };
const template = { "/vms/9001": "VM.Audit VM.Clone", "/storage/ceph": "Datastore.AllocateSpace", [bridge]: "SDN.Use" };
const add = (rights: Rights, path: string, more: string): Rights => ({
  ...rights,
  [path]: [rights[path], more].filter(Boolean).join(" "),
});

const creations: [string, Input, Rights][] = [
  ["a clone that is started", base, add({ ...making, ...template }, vm, "VM.PowerMgmt")],
  ["a clone that is not", { ...base, power: "stopped" }, { ...making, ...template }],
  [
    "a clone in a pool",
    { ...base, power: "stopped", pool: "prod" },
    { ...template, "/pool/prod": "Pool.Audit VM.Audit VM.Allocate VM.Config.Options" },
  ],
  [
    "a full clone onto another storage and node",
    { ...base, power: "stopped", node: "pve2", clone: { ...clone, storage: "local-zfs" } },
    {
      ...add(making, vm, "VM.Migrate"),
      "/vms/9001": "VM.Audit VM.Clone",
      "/storage/local-zfs": "Datastore.AllocateSpace",
      [bridge]: "SDN.Use",
    },
  ],
  [
    "a clone whose addresses are waited for",
    { ...base, agent: { enabled: true, wait: "5s" } },
    add({ ...making, ...template }, vm, "VM.PowerMgmt VM.GuestAgent.Audit"),
  ],
  [
    "a VM made from nothing",
    {
      name: "least",
      vmid,
      node: "pve1",
      power: "stopped",
      disks: { scsi0: { storage: "local-lvm", size: "8G" } },
      cdroms: { ide2: { file: disc } },
      networks: { net0: { bridge: "vmbr0" } },
    },
    {
      ...add(making, vm, "VM.Config.Network"),
      "/storage/local-lvm": "Datastore.AllocateSpace",
      "/storage/local": "Datastore.AllocateSpace",
      [bridge]: "SDN.Use",
    },
  ],
  [
    "a clone with texts for cloud-init",
    { ...base, power: "stopped", cloud_init: { user_data: "#cloud-config\n{}\n", data_storage: "nas" } },
    {
      ...add({ ...making, ...template }, vm, "VM.Config.CDROM VM.Config.Cloudinit VM.Config.Disk"),
      "/storage/nas": "Datastore.AllocateTemplate Datastore.Audit",
    },
  ],
  [
    "a VM whose disk is imported from another's",
    {
      name: "least",
      vmid,
      node: "pve1",
      power: "stopped",
      disks: { scsi0: { storage: "local-zfs", import_from: "ceph:base-9001-disk-0" } },
    },
    { ...making, "/vms/9001": "VM.Clone", "/storage/local-zfs": "Datastore.AllocateSpace" },
  ],
];

describe("making", () => {
  test.each(creations)("%s takes this and nothing else", async (_, config, rights) => {
    await needsEach(rights, (caller) => caller.plan(null, config));
    const caller = await bench.poor(rights);
    const made = await caller.create(config);
    const leaving = add(rights, config === creations[2]?.[1] ? "/pool/prod" : vm, "VM.PowerMgmt");
    await (await bench.poor(leaving)).destroy(made);
  });
});

/** Each change on top of those before it, on a VM that root has made. */
const changes: [string, Input, Rights][] = [
  ["cores", { cpu: { cores: 3 } }, { [vm]: "VM.Config.CPU" }],
  ["memory", { memory: { size: "3G" } }, { [vm]: "VM.Config.Memory" }],
  ["a graphics card", { vga: { type: "std" } }, { [vm]: "VM.Config.HWType" }],
  ["a description", { description: "least" }, { [vm]: "VM.Config.Options" }],
  ["the order of starting", { startup: { order: 3 } }, { [vm]: "VM.Config.Options", "/": "Sys.Modify" }],
  ["the boot order", { boot_order: ["net0", "scsi0"] }, { [vm]: "VM.Config.Disk" }],
  [
    "a larger disk",
    { disks: { scsi0: { size: "5G" } } },
    { [vm]: "VM.Config.Disk", "/storage/ceph": "Datastore.AllocateSpace" },
  ],
  [
    "a second disk",
    { disks: { scsi0: { size: "5G" }, scsi1: { storage: "local-zfs", size: "1G", on_remove: "delete" } } },
    { [vm]: "VM.Config.Disk", "/storage/local-zfs": "Datastore.AllocateSpace" },
  ],
  [
    "one disk less, with its data",
    { disks: { scsi0: { size: "5G" } } },
    { [vm]: "VM.Config.Disk", "/storage/local-zfs": "Datastore.AllocateSpace" },
  ],
  [
    "a disk that moves",
    { disks: { scsi0: { size: "5G", storage: "nas" } } },
    { [vm]: "VM.Config.Disk", "/storage/nas": "Datastore.AllocateSpace" },
  ],
  [
    "a disc",
    { cdroms: { ide0: { file: disc } } },
    { [vm]: "VM.Config.CDROM VM.Config.Disk", "/storage/local": "Datastore.AllocateSpace" },
  ],
  ["a VLAN", { networks: { net0: { vlan: 20 } } }, { [vm]: "VM.Config.Network", [bridge]: "SDN.Use" }],
  ["a user of the guest", { cloud_init: { user: "ops" } }, { [vm]: "VM.Config.Cloudinit" }],
  [
    "a mapped device",
    { pci: { hostpci0: { mapping: "gpu" } } },
    { [vm]: "VM.Config.HWType", "/mapping/pci/gpu": "Mapping.Use" },
  ],
  [
    "a mapped directory",
    { virtiofs: { virtiofs0: { mapping: "share" } } },
    { [vm]: "VM.Config.Disk", "/mapping/dir/share": "Mapping.Use" },
  ],
  [
    "a source of randomness of the host",
    { rng: { source: "/dev/hwrng" } },
    { [vm]: "VM.Config.HWType", "/mapping/hwrng": "Mapping.Use" },
  ],
  [
    "a mapped USB device",
    { usb: { usb0: { mapping: "key" } } },
    { [vm]: "VM.Config.HWType", "/mapping/usb/key": "Mapping.Use" },
  ],
  ["power", { power: "stopped" }, { [vm]: "VM.PowerMgmt" }],
  [
    "all of that away",
    { pci: {}, virtiofs: {}, cdroms: {}, usb: {} },
    {
      [vm]: "VM.Config.HWType VM.Config.Disk VM.Config.CDROM",
      "/mapping/pci/gpu": "Mapping.Use",
      "/mapping/dir/share": "Mapping.Use",
      "/mapping/usb/key": "Mapping.Use",
    },
  ],
  ["another node", { node: "pve2" }, { [vm]: "VM.Migrate" }],
  ["high availability", { ha: { state: "stopped" } }, { "/": "Sys.Console Sys.Audit" }],
  ["a pool", { pool: "prod" }, { [vm]: "VM.Allocate", "/pool/prod": "Pool.Allocate Pool.Audit" }],
];

describe("changing", () => {
  let instance: Instance;
  let config: Input = { ...base, restart_policy: "never" };

  beforeAll(async () => {
    const root = await bench.as(bench.simulator.tokens["root@pam!admin"] ?? "");
    instance = await root.create(config);
  });

  test.each(changes)("%s takes this and nothing else", async (_, change, granted) => {
    config = { ...(config as object), ...(change as object) };
    const seen = (rights: Rights) => add(rights, vm, "VM.Audit");
    await needsEach(granted, (caller) => caller.plan(instance, config), seen);
    const caller = await bench.poor(seen(granted));
    instance = await caller.update(instance, config);
  });

  test("nothing any more takes the right to remove it", async () => {
    const caller = await bench.poor({ [vm]: "VM.Audit" });
    await expect(caller.planDestroy(instance)).rejects.toThrow(/pool\/prod: VM.Allocate/);
    await (await bench.poor({ "/pool/prod": "VM.Audit VM.Allocate" })).destroy(instance);
  });
});
