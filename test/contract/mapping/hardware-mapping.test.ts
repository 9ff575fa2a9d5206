import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import type { ManagedResource } from "../../harness/index.ts";
import { attribute, ResourceBench } from "../resource-bench.ts";

let bench: ResourceBench;

beforeAll(async () => {
  bench = await ResourceBench.open();
});

afterEach(() => bench.simulator.faults.clear());

afterAll(() => bench.close());

const mappings = (): ManagedResource => bench.resource("proxmox_hardware_mapping");
const onServer = (kind: "pci" | "usb" | "dir", name: string) => bench.simulator.sim.world.mappings[kind][name]?.options;

const card = { path: "0000:01:00.0", device_id: "8086:1521", subsystem_id: "8086:0001", iommu_group: 14 };
const pci = (name: string, more: object = {}) => ({ name, pci: { nodes: { pve1: { devices: [card] } }, ...more } });

describe("a mapping", () => {
  test("of PCI devices goes through its life cycle", async () => {
    const made = await mappings().create({ ...pci("gpu", { mdev: true }), comment: "for models" });
    expect(onServer("pci", "gpu")).toEqual({
      description: "for models",
      mdev: "1",
      map: ["id=8086:1521,iommugroup=14,node=pve1,path=0000:01:00.0,subsystem-id=8086:0001"],
    });
    const other = { ...card, path: "0000:01:00.1", iommu_group: 15 };
    const wider = { pve1: { devices: [card, other] }, pve2: { devices: [card] } };
    const config = pci("gpu", { nodes: wider, live_migration_capable: true });
    const changed = await mappings().update(made, config);
    expect(onServer("pci", "gpu")?.["map"]).toHaveLength(3);
    expect(Object.keys(onServer("pci", "gpu") ?? {}).sort()).toEqual(["live-migration-capable", "map"]);
    const imported = await mappings().import({ id: "pci/gpu" });
    expect(imported.state).toEqual(changed.state);
    await mappings().expectSettled(imported, config);
    await mappings().destroy(changed);
    expect(onServer("pci", "gpu")).toBeUndefined();
  });

  test("of a USB device, wherever it is plugged in", async () => {
    const made = await mappings().create({ name: "key", usb: { nodes: { pve1: { device_id: "0951:1666" } } } });
    expect(attribute(made, "type")).toBe("usb");
    const place = { pve1: { device_id: "0951:1666", path: "1-2.3", description: "red one" } };
    await mappings().update(made, { name: "key", usb: { nodes: place } });
    expect(onServer("usb", "key")?.["map"]).toEqual(["description=red one,id=0951:1666,node=pve1,path=1-2.3"]);
  });

  test("of a directory is replaced to become one of another kind", async () => {
    const made = await mappings().create({ name: "share", dir: { nodes: { pve1: { path: "/srv" } } } });
    const plan = await mappings().plan(made, pci("share"));
    expect(plan.action).toBe("replace");
    await mappings().apply(plan);
    expect(onServer("dir", "share")).toBeUndefined();
    expect(onServer("pci", "share")).toBeDefined();
  });

  test("that another client has removed is created again, and its changes are corrected", async () => {
    const config = { name: "moved", dir: { nodes: { pve1: { path: "/srv" } } } };
    const made = await mappings().create(config);
    const section = bench.simulator.sim.world.mappings.dir["moved"];
    if (section) section.options["map"] = ["node=pve1,path=/tmp"];
    await bench.restart();
    const mended = await mappings().update(made, config);
    expect(onServer("dir", "moved")?.["map"]).toEqual(["node=pve1,path=/srv"]);
    delete bench.simulator.sim.world.mappings.dir["moved"];
    await bench.restart();
    expect(await mappings().find(mended)).toBeNull();
  });

  test("can be used by a VM that the same plan creates", async () => {
    const plan = await mappings().plan(null, pci("fresh"));
    const vms = bench.resource("proxmox_vm");
    const vm = {
      name: "with-device",
      node: "pve1",
      power: "stopped",
      clone: { template: "debian-13-cloud" },
      pci: { hostpci0: { mapping: "fresh" } },
    };
    const vmPlan = await vms.plan(null, vm);
    await mappings().apply(plan);
    expect(attribute(await vms.apply(vmPlan), "pci", "hostpci0", "mapping")).toBe("fresh");
  });
});

describe("is refused while planning:", () => {
  test.each([
    ["a bad address", { devices: [{ ...card, path: "01:00.0" }] }, /PCI address such as "0000:01:00.0"/],
    ["a bad device", { devices: [{ ...card, device_id: "0x8086" }] }, /a vendor and a device such as "10de:1db4"/],
    ["no device", { devices: [] }, /at least 1 element/],
  ])("%s", async (_, node, message) => {
    await expect(mappings().plan(null, { name: "bad", pci: { nodes: { pve1: node } } })).rejects.toThrow(message);
  });

  test.each([
    [
      "an unknown node",
      { pci: { nodes: { pve9: { devices: [card] } } } },
      /Node `pve9` does not exist. Available: `pve1`/,
    ],
    ["two kinds at once", { ...pci("bad"), dir: { nodes: { pve1: { path: "/srv" } } } }, /`dir`, `pci` are/],
    ["no kind", {}, /and none is/],
    ["a path that is not absolute", { dir: { nodes: { pve1: { path: "srv" } } } }, /an absolute path/],
    ["a bad port", { usb: { nodes: { pve1: { device_id: "0951:1666", path: "usb1" } } } }, /a bus and a port/],
    ["a bad name", { ...pci("x y"), name: "x y" }, /a letter and then letters/],
  ])("%s", async (_, config, message) => {
    await expect(mappings().plan(null, { name: "bad", ...config })).rejects.toThrow(message);
  });

  test("a name that is in use", async () => {
    const { pci: devices, dir } = bench.simulator.sim.world.mappings;
    devices["taken"] = { type: "pci", options: { map: ["id=8086:1521,node=pve1,path=0000:01:00.0"] } };
    await bench.restart();
    await expect(mappings().plan(null, pci("taken"))).rejects.toThrow('id = "pci/taken"');
    const plan = await mappings().plan(null, { name: "beaten", dir: { nodes: { pve1: { path: "/srv" } } } });
    dir["beaten"] = { type: "dir", options: { map: ["node=pve2,path=/tmp"] } };
    await expect(mappings().apply(plan)).rejects.toThrow("exists already");
  });
});

describe("in spite of", () => {
  test("lost responses, each write is made once and its result is known", async () => {
    const config = { name: "lost", dir: { nodes: { pve1: { path: "/srv" } } } };
    const order = (call: string) => bench.simulator.faults.order({ do: "answer", call, status: 596, after: 1 });
    order("POST /cluster/mapping/dir");
    const made = await mappings().create(config);
    order("PUT /cluster/mapping/dir/{id}");
    const changed = await mappings().update(made, { ...config, comment: "found" });
    order("DELETE /cluster/mapping/dir/{id}");
    await mappings().destroy(changed);
    expect(onServer("dir", "lost")).toBeUndefined();
  });

  test("another mapping that another client changes at the same time, the change is made", async () => {
    const config = { name: "quiet", dir: { nodes: { pve1: { path: "/srv" } } } };
    const made = await mappings().create(config);
    const text =
      "update directory mapping failed: detected modified configuration - file changed by other user? Try again.";
    bench.simulator.faults.order({ do: "answer", call: "PUT /cluster/mapping/dir/{id}", status: 500, reason: text });
    await mappings().update(made, { ...config, comment: "after all" });
    expect(onServer("dir", "quiet")?.["description"]).toBe("after all");
  });
});
