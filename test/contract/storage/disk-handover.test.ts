import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Input, Instance } from "../../harness/index.ts";
import { attribute, ResourceBench } from "../resource-bench.ts";

let bench: ResourceBench;

beforeAll(async () => {
  bench = await ResourceBench.open();
});
beforeEach(async () => {
  bench.simulator.reset();
  await bench.configure();
});
afterAll(() => bench.close());

type Config = Record<string, Input>;

const vm = () => bench.resource("proxmox_vm");
const world = () => bench.simulator.sim.world;
const owner = 900_000_000;
const volumeOf = (name: string) => `ceph:vm-${owner}-${name}`;
const lineOf = (vmid: number, slot: string) => world().guests[vmid]?.config[slot];
const stamps = () =>
  world()
    .volumes.filter(({ vmid }) => vmid === owner)
    .map(({ volid }) => volid);

const shell = (vmid: number, disks: Record<string, Input>, more: Config = {}): Config => ({
  name: `vm-${vmid}`,
  vmid,
  node: "pve1",
  power: "stopped",
  disks: { scsi0: { storage: "ceph", size: "1G" }, ...disks },
  ...more,
});

/** Plans and applies what Terraform does at the same time, in the given order. */
async function change(...changes: readonly [Instance, Config][]): Promise<Instance[]> {
  await bench.configure();
  const now = await Promise.all(changes.map(([instance]) => vm().refresh(instance)));
  const plans = await Promise.all(changes.map(([, config], at) => vm().plan(now[at] ?? null, config)));
  await bench.configure();
  return Promise.all(plans.map((plan) => vm().apply(plan)));
}

async function settled(...pairs: readonly [Instance | undefined, Config][]): Promise<void> {
  await bench.configure();
  for (const [instance, config] of pairs) {
    if (instance) await vm().expectSettled(await vm().refresh(instance), config);
  }
}

async function makeDisks(...names: string[]): Promise<void> {
  for (const name of names) await bench.resource("proxmox_disk").create({ storage: "ceph", name, size: "4G" });
}

describe.each(["stopped", "running"])("two VMs that are %s", (power) => {
  test("swap their disks in one apply, with the options of the slots", async () => {
    await makeDisks("one", "two", "third");
    const first = (name: string) =>
      shell(101, { scsi1: { volume: volumeOf(name), discard: true, backup: false } }, { power });
    const second = (name: string) => shell(102, { virtio3: { volume: volumeOf(name) } }, { power });
    const [a, b] = [await vm().create(first("one")), await vm().create(second("two"))];
    // Another user has attached a disk to a slot that is not configured.
    Object.assign(world().guests[101]?.config ?? {}, { scsi7: `${volumeOf("third")},size=4G` });
    const [c, d] = await change([a, first("two")], [b, second("one")]);
    expect(lineOf(101, "scsi7")).toContain(volumeOf("third"));
    expect(lineOf(101, "scsi1")).toContain(volumeOf("two"));
    expect(lineOf(101, "scsi1")).toMatch(/backup=0.*discard=on/);
    expect(lineOf(102, "virtio3")).toContain(volumeOf("one"));
    expect(stamps()).toHaveLength(3);
    expect(attribute(c as Instance, "unused_disks")).toEqual({});
    await settled([c, first("two")], [d, second("one")]);
  });

  test("pass three disks round, one of them to another slot", async () => {
    await makeDisks("one", "two", "three");
    const config = (vmid: number, name: string, slot = "scsi1") =>
      shell(vmid, { [slot]: { volume: volumeOf(name) } }, { power });
    const a = await vm().create(config(101, "one"));
    const b = await vm().create(config(102, "two"));
    const c = await vm().create(config(103, "three"));
    await change([a, config(101, "three", "scsi2")], [b, config(102, "one")], [c, config(103, "two")]);
    expect(lineOf(101, "scsi1")).toBeUndefined();
    expect([lineOf(101, "scsi2"), lineOf(102, "scsi1"), lineOf(103, "scsi1")]).toEqual(
      ["three", "one", "two"].map((name) => expect.stringContaining(volumeOf(name))),
    );
  });
});

describe("a running VM that keeps a disk until it is restarted", () => {
  const config = (vmid: number, disks: Record<string, Input>, policy = "never") =>
    shell(vmid, disks, { power: "running", restart_policy: policy });

  test("does not give it to another one in the same apply, which the plan says", async () => {
    await makeDisks("one");
    const a = await vm().create(config(101, { sata1: { volume: volumeOf("one") } }));
    const b = await vm().create(config(102, {}));
    await expect(
      change([a, config(101, {})], [b, config(102, { scsi1: { volume: volumeOf("one") } })]),
    ).rejects.toThrow('restart_policy = "when_needed"');
    expect(lineOf(101, "sata1")).toContain(volumeOf("one"));
  });

  test("gives it if it may be restarted", async () => {
    await makeDisks("one");
    const a = await vm().create(config(101, { sata1: { volume: volumeOf("one") } }));
    const b = await vm().create(config(102, {}));
    const next = config(102, { scsi1: { volume: volumeOf("one") } });
    const [c, d] = await change([a, config(101, {}, "when_needed")], [b, next]);
    expect(lineOf(102, "scsi1")).toContain(volumeOf("one"));
    await settled([c, config(101, {}, "when_needed")], [d, next]);
  });

  test("swaps it if it may be restarted", async () => {
    await makeDisks("one", "two");
    const pair = (vmid: number, name: string) => config(vmid, { sata1: { volume: volumeOf(name) } }, "when_needed");
    const [a, b] = [await vm().create(pair(101, "one")), await vm().create(pair(102, "two"))];
    const [c, d] = await change([a, pair(101, "two")], [b, pair(102, "one")]);
    expect(lineOf(101, "sata1")).toContain(volumeOf("two"));
    expect(lineOf(102, "sata1")).toContain(volumeOf("one"));
    expect([101, 102].map((vmid) => world().guests[vmid]?.run)).toEqual([expect.anything(), expect.anything()]);
    await settled([c, pair(101, "two")], [d, pair(102, "one")]);
  });
});

test("a VM that an interrupted run has left with the disk is resumed", async () => {
  const config = { storage: "ceph", name: "one", size: "4G" };
  const data = await bench.resource("proxmox_disk").create(config);
  const wanted = shell(101, { scsi1: { volume: volumeOf("one") } }, { power: "running" });
  bench.simulator.faults.order({ do: "fail", task: "qmstart", text: "interrupted by signal" });
  await expect(vm().create(wanted)).rejects.toThrow("interrupted by signal");
  expect(lineOf(101, "scsi1")).toContain(volumeOf("one"));
  await bench.configure();
  await bench.resource("proxmox_disk").refresh(data);
  expect((await vm().plan(null, wanted)).action).toBe("create");
  await bench.configure();
  expect(attribute(await vm().create(wanted), "vmid")).toBe(101);
});

test("a disk is grown although the VM that had it gives it up at that moment", async () => {
  const disk = () => bench.resource("proxmox_disk");
  const config = { storage: "ceph", name: "late", size: "4G" };
  const made = await disk().create(config);
  await vm().create(shell(301, { scsi1: { volume: volumeOf("late") } }));
  await bench.configure();
  const now = await disk().refresh(made);
  expect(attribute(now, "slot")).toBe("scsi1");
  const stop = bench.simulator.sim.log.subscribe(({ method, path }) => {
    if (method === "PUT" && path.endsWith("/qemu/301/resize")) delete world().guests[301]?.config["scsi1"];
  });
  const grown = await disk().apply(await disk().plan(now, { ...config, size: "6G" }));
  stop();
  expect((await disk().refresh(grown)).state).toMatchObject({ size: "6G", vmid: null, slot: null });
  expect(world().volumes.find(({ volid }) => volid === volumeOf("late"))?.size).toBe(6 * 2 ** 30);
});
