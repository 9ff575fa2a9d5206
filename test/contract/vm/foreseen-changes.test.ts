import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { defaultSeed } from "../../../src/simulator/seed/default-seed.ts";
import { type Input, type Instance, ProviderErrors } from "../../harness/index.ts";
import { placeOf } from "../place-of.ts";
import { Bench } from "./suite.ts";

const clone = { template: "ubuntu-24.04-cloud" };
const away = { node: "pve2" };
const stopped = { power: "stopped" };

const storage = { type: "lvm", content: ["images"], total_bytes: 2 ** 40, avail_bytes: 2 ** 40 };
const seed = () => {
  const base = defaultSeed() as Record<string, object[]>;
  const storages = [
    { ...storage, storage: "here", vgname: "here", nodes: ["pve1"] },
    { ...storage, storage: "changing", vgname: "changing" },
  ];
  const plain = { iface: "plain", type: "bridge", method: "manual", active: 1 };
  const bridges = [...(base["bridges"] ?? []), plain];
  return { ...base, storages: [...(base["storages"] ?? []), ...storages], bridges };
};

/** What others do to the VM between two runs. */
type Hand = (config: Record<string, string>, bench: Bench, vmid: number) => void;

const takeSnapshot: Hand = (config, bench, vmid) => {
  const guest = bench.guest(vmid) as unknown as { snapshots: Record<string, Record<string, string>> };
  guest.snapshots["before"] = { ...config, snaptime: "1" };
  config["parent"] = "before";
};

const put =
  (option: string, line: string): Hand =>
  (config) => {
    config[option] = line;
  };

const loseBridge: Hand = (_, bench) => {
  delete bench.simulator.sim.world.nodes["pve1"]?.interfaces["vmbr1"];
};

/** Title, the VM, what others do to it, the change, where the plan says so, what it says, and what PVE says. */
type Row = readonly [string, Input & object, Hand, Input & object, string, RegExp, string];

const gpu = { clone, pci: { hostpci0: { mapping: "gpu" } } };
const shared = { clone, virtiofs: { virtiofs0: { mapping: "share" } } };
const nothing: Hand = () => {};

const rows: readonly Row[] = [
  [
    "a move with a snapshot on a local storage",
    { clone, ...stopped },
    takeSnapshot,
    away,
    "node",
    /does not move it with snapshots\. Delete first: `before`\./,
    "non-migratable snapshot exists",
  ],
  [
    "a live move with a snapshot on a local storage",
    { clone },
    takeSnapshot,
    away,
    "node",
    /does not move it with snapshots while the VM runs\. Delete first: `before`\./,
    "online storage migration not possible",
  ],
  [
    "a move with a PCI device of the host",
    { clone, ...stopped },
    put("hostpci0", "0000:01:00.0"),
    away,
    "node",
    /with `hostpci0`, which belongs to pve1/,
    "uses local devices: hostpci0",
  ],
  [
    "a move with a USB device and a port of the host",
    { clone, ...stopped },
    (config, ...rest) => {
      put("usb0", "host=1-1")(config, ...rest);
      put("serial1", "/dev/ttyS0")(config, ...rest);
    },
    away,
    "node",
    /with `serial1`, `usb0`, which belong to pve1/,
    "uses local devices",
  ],
  [
    "a live move with a mapped device",
    gpu,
    nothing,
    away,
    "node",
    /while it runs with `hostpci0`/,
    "can't live migrate",
  ],
  ["a live move with a shared directory", shared, nothing, away, "node", /`virtiofs0`/, "virtiofs"],
  [
    "a move with an unused volume on a storage that the other node does not have",
    { clone, ...stopped },
    (config, bench, vmid) => {
      const volid = `here:vm-${vmid}-disk-9`;
      const volume = { node: "pve1", vmid, volid, size: 2 ** 30, ctime: 1, content: "images", format: "raw" };
      bench.simulator.sim.world.volumes.push(volume as never);
      config["unused0"] = volid;
    },
    away,
    "node",
    /Storage `here` does not exist on pve2/,
    "storage 'here' is not available on node 'pve2'",
  ],
  [
    "a start without a disc that was removed",
    { clone, ...stopped },
    put("ide0", "local:iso/gone.iso,media=cdrom"),
    { power: "running" },
    "cdroms.ide0.file",
    /`local:iso\/gone\.iso` does not exist on pve1/,
    "volume 'local:iso/gone.iso' does not exist",
  ],
  [
    "a start without a disk that was removed",
    { clone, ...stopped },
    (_, bench, vmid) => {
      const { world } = bench.simulator.sim;
      const isGone = ({ volid }: { volid: string }) => volid === `local-lvm:vm-${vmid}-disk-0`;
      world.volumes = world.volumes.filter((volume) => !isGone(volume)) as typeof world.volumes;
    },
    { power: "running" },
    "disks.scsi0.volume",
    /does not exist on pve1/,
    "no such logical volume",
  ],
  [
    "a start from a storage that takes no images any more",
    { clone: { ...clone, storage: "changing" }, ...stopped },
    (_, bench) => {
      const found = bench.simulator.sim.world.storages["changing"];
      if (found) found.options["content"] = "rootdir";
    },
    { power: "running" },
    "disks.scsi0.volume",
    /Storage `changing` is set up for `rootdir`, not for `images`/,
    "does not support content-type 'images'",
  ],
  [
    "a disk that leaves a VM with as many unused volumes as there can be",
    { clone, ...stopped, disks: { scsi1: { storage: "ceph", size: "1G" } } },
    (config, _, vmid) => {
      for (let slot = 0; slot < 256; slot++) config[`unused${slot}`] = `ceph:vm-${vmid}-disk-${slot + 10}`;
    },
    { disks: null },
    "disks",
    /`scsi1` cannot be kept as an unused volume: VM \d+ has 256/,
    "Too many unused volumes",
  ],
  [
    "VLANs for a running VM on a bridge that carries none",
    { clone },
    nothing,
    { networks: { net0: { bridge: "plain", trunks: ["5"] } } },
    "networks.net0.trunks",
    /Bridge `plain` carries no VLANs/,
    "vlan aware feature need to be enabled to use trunks",
  ],
  [
    "a pool that does not exist, as the only change",
    { clone, ...stopped },
    nothing,
    { pool: "none" },
    "pool",
    /Pool `none` does not exist/,
    "pool 'none' does not exist",
  ],
];

/** What may work: a bridge that a script makes is not listed. */
const warned: readonly Row[] = [
  [
    "another VLAN of a running VM whose bridge is gone",
    { clone, networks: { net1: { bridge: "vmbr1" } } },
    loseBridge,
    { networks: { net1: { bridge: "vmbr1", vlan: 5 } } },
    "networks.net1.bridge",
    /Bridge `vmbr1` of `net1` is not in the list of interfaces of pve1/,
    "interface vmbr1 does not exist",
  ],
  [
    "a start without the bridge of a card that is not in the configuration",
    { clone, ...stopped },
    (config, ...rest) => {
      put("net1", "virtio=BC:24:11:00:00:01,bridge=vmbr1")(config, ...rest);
      loseBridge(config, ...rest);
    },
    { power: "running" },
    "networks.net1.bridge",
    /Bridge `vmbr1` of `net1` is not in the list of interfaces of pve1/,
    "bridge 'vmbr1' does not exist",
  ],
];

async function open(env: Record<string, string>): Promise<Bench> {
  const bench = await Bench.open({ seed: seed(), env });
  const { mappings } = bench.simulator.sim.world;
  const both = (rest: string) => ["pve1", "pve2"].map((node) => `node=${node},${rest}`);
  mappings.pci["gpu"] = { type: "pci", options: { map: both("path=0000:01:00.0,id=10de:2204") } } as never;
  mappings.dir["share"] = { type: "dir", options: { map: both("path=/srv") } } as never;
  return bench;
}

/** A VM on pve1 as Terraform knows it, after others have changed it. */
async function prepared(bench: Bench, config: Input & object, hand: Hand): Promise<Instance> {
  const before = bench.vmids();
  const made = await bench.vm.create({ name: "subject", node: "pve1", ...config });
  const vmid = bench.vmids().find((one) => !before.includes(one)) ?? 0;
  hand(bench.guest(vmid).config as Record<string, string>, bench, vmid);
  await bench.restart();
  return bench.vm.refresh(made);
}

const drop = (bench: Bench) => {
  const { world } = bench.simulator.sim;
  for (const vmid of bench.vmids().filter((one) => one < 200)) delete world.guests[vmid];
  world.volumes = world.volumes.filter(({ vmid }) => !vmid || vmid >= 200) as typeof world.volumes;
  const { changing } = world.storages;
  if (changing) changing.options["content"] = "images";
  const [here, there] = ["pve1", "pve2"].map((node) => world.nodes[node]?.interfaces ?? {});
  Object.assign(here ?? {}, { vmbr1: structuredClone(there?.["vmbr1"]) });
};

describe("the plan foresees", () => {
  let bench: Bench;
  beforeAll(async () => {
    bench = await open({});
  });
  afterAll(() => bench.close());

  test.each(rows)("%s", async (_, config, hand, change, path, message) => {
    const vm = await prepared(bench, config, hand);
    const refused = await bench.vm
      .plan(vm, { name: "subject", node: "pve1", ...config, ...change })
      .catch((reason: unknown) => reason);
    drop(bench);
    if (!(refused instanceof ProviderErrors)) throw new Error("it was not refused");
    expect(refused.diagnostics.map(placeOf)).toEqual([path]);
    expect(refused.diagnostics[0]?.detail).toMatch(message);
  });

  test.each(warned)("and warns of %s", async (_, config, hand, change, path, message) => {
    const vm = await prepared(bench, config, hand);
    const { warnings } = await bench.vm.plan(vm, { name: "subject", node: "pve1", ...config, ...change });
    drop(bench);
    const [found] = warnings.filter((one) => placeOf(one) === path);
    expect(found?.detail).toMatch(message);
  });

  test("no refusal of a stopped VM with a mapped device, nor of one that is stopped for the move", async () => {
    const vm = await prepared(bench, gpu, nothing);
    const plan = await bench.vm.plan(vm, { name: "subject", ...gpu, ...away, ...stopped });
    expect(plan.action).toBe("update");
    drop(bench);
  });
});

describe("without the plan's checks the apply fails on", () => {
  let bench: Bench;
  beforeAll(async () => {
    bench = await open({ PROXMOX_VE_PLAN_CHECKS: "off" });
  });
  afterAll(() => bench.close());

  test.each([...rows, ...warned])("%s", async (_, config, hand, change, _path, _message, refusal) => {
    const vm = await prepared(bench, config, hand);
    const wanted = { name: "subject", node: "pve1", ...config, ...change };
    const failure = await bench.vm.update(vm, wanted).catch((reason: unknown) => reason);
    drop(bench);
    if (!(failure instanceof ProviderErrors)) throw new Error("it was not refused");
    expect(failure.message).toContain(refusal);
  });
});
