import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { defaultSeed } from "#simulator";
import type { Input } from "../../harness/index.ts";
import { attribute } from "../resource-bench.ts";
import { Bench } from "../vm/suite.ts";

const system = { arch: "amd64", ostype: "debian", unprivileged: 1 };
const guests = [
  {
    vmid: 501,
    node: "pve1",
    running: true,
    config: { name: "up", cores: 1, scsi0: "local-lvm:vm-501-disk-0,size=1G" },
  },
  { vmid: 503, node: "pve1", config: { name: "raw", scsi0: "nas:503/vm-503-disk-0.raw,size=1G" } },
  { vmid: 504, node: "pve1", config: { name: "pool", scsi0: "ceph:vm-504-disk-0,size=1G" } },
  {
    vmid: 505,
    node: "pve1",
    type: "lxc",
    running: true,
    config: { hostname: "ct", ...system, cores: 1, rootfs: "local-lvm:vm-505-disk-0,size=1G" },
  },
  {
    vmid: 506,
    node: "pve1",
    type: "lxc",
    config: { hostname: "file", ...system, rootfs: "nas:506/vm-506-disk-0.raw,size=1G" },
  },
];

let bench: Bench;

beforeAll(async () => {
  bench = await Bench.open({ seed: { ...(defaultSeed() as object), guests } });
});
beforeEach(async () => {
  bench.simulator.faults.clear();
  bench.simulator.reset();
  await bench.configure();
});
afterAll(() => bench.close());

const snapshots = (vmid: number) => bench.guest(vmid).snapshots;
const own = (vmid: number) => Object.keys(snapshots(vmid)).filter((name) => /^tf-before-\d{8}-\d{6}$/.test(name));
const before_change = { snapshot: true };

const kinds = [
  { noun: "VM", type: "proxmox_vm", vmid: 501, map: "disks", slot: "scsi0", path: "qemu", task: "qmsnapshot" },
  {
    noun: "container",
    type: "proxmox_container",
    vmid: 505,
    map: "mounts",
    slot: "rootfs",
    path: "lxc",
    task: "vzsnapshot",
  },
] as const;

describe.each(kinds)("a $noun with `before_change`", ({ type, vmid, map, slot, path, task, noun }) => {
  const resource = () => bench.resource(type);
  const begin = async (config: Input) => {
    const imported = await resource().import({ id: String(vmid) });
    return resource().apply(await resource().plan(imported, config), config);
  };

  test("gets a snapshot before its settings change, and the plan says so", async () => {
    let now = await begin({ before_change });
    expect(own(vmid)).toEqual([]);
    const config = { before_change, tags: ["a"], [map]: { [slot]: { size: "2G" } } };
    const plan = await resource().plan(now, config);
    expect(plan.warnings.map(({ summary }) => summary)).toEqual(["A snapshot will be taken"]);
    await bench.configure();
    now = await resource().update(now, config);
    const [name = ""] = own(vmid);
    expect(own(vmid)).toHaveLength(1);
    expect(snapshots(vmid)[name]?.["tags"]).toBeUndefined();
    expect(snapshots(vmid)[name]?.[slot]).toContain("size=1G");
    expect(snapshots(vmid)[name]?.["description"]).toContain(
      `Before Terraform changed: ${[map, "tags"].sort().join(", ")}`,
    );
    expect(bench.config(vmid)["tags"]).toBe("a");
  });

  test("gets none for changes that the server does not see, and for its power", async () => {
    let now = await begin({ before_change });
    for (const more of [
      { restart_policy: "when_needed" },
      { [map]: { [slot]: { on_remove: "delete" } } },
      { power: "stopped" },
    ]) {
      now = await resource().update(now, { before_change, ...more });
      expect(own(vmid)).toEqual([]);
    }
  });

  test("keeps the newest snapshots of its own, and all others", async () => {
    snapshots(vmid)["mine"] = { snaptime: "1", cores: "1" };
    snapshots(vmid)["tf-before-me"] = { snaptime: "1", cores: "1" };
    let now = await begin({ before_change: { snapshot: true, keep: 2 } });
    const seen: string[] = [];
    for (const tag of ["a", "b", "c", "d"]) {
      const plan = await resource().plan(now, { before_change: { snapshot: true, keep: 2 }, tags: [tag] });
      // A snapshot is removed only if the plan has named it.
      const removed = seen.length < 2 ? "none is removed" : `\`${seen.at(-2)}\` is removed after the change`;
      expect(plan.warnings.map(({ detail }) => detail).join()).toContain(
        `The newest 2 of these snapshots are kept: ${removed}.`,
      );
      await bench.configure();
      now = await resource().update(now, { before_change: { snapshot: true, keep: 2 }, tags: [tag] });
      seen.push(own(vmid).sort().at(-1) ?? "");
    }
    expect(own(vmid).sort()).toEqual(seen.slice(-2));
    expect(Object.keys(snapshots(vmid))).toEqual(expect.arrayContaining(["mine", "tf-before-me"]));
    await resource().destroy(now);
  });

  test("keeps one if only one is to be kept, and the plan names all that it removes", async () => {
    let now = await begin({ before_change });
    for (const tag of ["a", "b"]) now = await resource().update(now, { before_change, tags: [tag] });
    const [first, second] = own(vmid).sort();
    const { warnings } = await resource().plan(now, { before_change: { snapshot: true, keep: 1 }, tags: ["c"] });
    expect(warnings.map(({ detail }) => detail).join()).toContain(
      `The newest of these snapshots is kept: \`${first}\`, \`${second}\` are removed after the change.`,
    );
  });

  test("stays as it is if the snapshot fails, and loses none of the older ones", async () => {
    const now = await begin({ before_change });
    bench.simulator.faults.order({ do: "fail", task, text: "no space left on device" });
    await expect(resource().update(now, { before_change, tags: ["a"] })).rejects.toThrow(
      /no space left on device[\s\S]*could not be taken, and nothing was changed/,
    );
    expect(bench.config(vmid)["tags"]).toBeUndefined();
  });

  test("gets one snapshot if the answer is lost", async () => {
    const now = await begin({ before_change });
    bench.simulator.faults.order({ do: "reset", call: `POST /nodes/{node}/${path}/{vmid}/snapshot`, after: 1 });
    await resource().update(now, { before_change, tags: ["a"] });
    expect(own(vmid)).toHaveLength(1);
    expect(bench.config(vmid)["tags"]).toBe("a");
  });

  test.each<[string, Record<string, Input>, string | RegExp]>([
    [
      "a move of its volume",
      { [map]: { [slot]: { storage: "ceph" } }, restart_policy: "when_needed" },
      /A snapshot needs the disk[\s\S]*the one that `before_change` takes first/,
    ],
    ["another node", { node: "pve2" }, /cannot move there[\s\S]*the one that `before_change` takes first/],
    ["a template", { template: true, power: "stopped" }, /Snapshots are not possible[\s\S]*cannot become a template/],
  ])("is refused %s, which the snapshot would prevent", async (_, more, text) => {
    const now = await begin({ before_change });
    await expect(resource().plan(now, { before_change, ...more })).rejects.toThrow(text);
    expect(own(vmid)).toEqual([]);
  });

  test("is moved as usual without it", async () => {
    const now = await begin({});
    await resource().update(now, { node: "pve2" });
    expect(bench.guest(vmid).node).toBe("pve2");
  });

  test("that has a snapshot on a local storage is refused another node, with the cure", async () => {
    await bench.resource("proxmox_snapshot").create({ vmid, name: "mine" });
    const now = await begin({});
    await expect(resource().plan(now, { node: "pve2" })).rejects.toThrow(
      new RegExp(
        `${noun === "VM" ? "VM" : "Container"} cannot move there[\\s\\S]*\`${slot}\`[\\s\\S]*Delete first: \`mine\``,
      ),
    );
  });
});

test("the memory of a running VM is saved if that is asked for", async () => {
  const config = { before_change: { snapshot: true, memory: true } };
  const imported = await bench.vm.import({ id: "501" });
  const now = await bench.vm.apply(await bench.vm.plan(imported, config), config);
  await bench.vm.update(now, { ...config, tags: ["a"] });
  const [name = ""] = own(501);
  expect(snapshots(501)[name]?.["vmstate"]).toContain("local-lvm:vm-501-state-");
});

test("a snapshot on a shared storage does not keep a VM on its node", async () => {
  const imported = await bench.vm.import({ id: "504" });
  const now = await bench.vm.apply(await bench.vm.plan(imported, { before_change }), { before_change });
  const moved = await bench.vm.update(now, { before_change, node: "pve2" });
  expect(attribute(moved, "node")).toBe("pve2");
  expect(own(504)).toHaveLength(1);
});

test.each([
  ["proxmox_vm", 503],
  ["proxmox_container", 506],
])("a %s on a storage without snapshots is refused in the plan, with the cure", async (type, vmid) => {
  const resource = bench.resource(type);
  const imported = await resource.import({ id: String(vmid) });
  const now = await resource.apply(await resource.plan(imported, { before_change }), { before_change });
  await expect(resource.plan(now, { before_change, tags: ["a"] })).rejects.toThrow(
    /Snapshots are not possible[\s\S]*Move it to a storage such as ZFS, Ceph or LVM-thin/,
  );
});
