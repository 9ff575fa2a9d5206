import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Input } from "../../harness/index.ts";
import { attribute } from "../resource-bench.ts";
import { Bench } from "./suite.ts";

let bench: Bench;

beforeAll(async () => {
  bench = await Bench.open();
});

afterAll(() => bench.close());

type Disks = Record<string, Record<string, Input>>;

const config = (disks: Disks, more: Record<string, Input> = {}) => ({
  name: "returning",
  vmid: 741,
  clone: { template: "ubuntu-24.04-cloud" },
  power: "stopped",
  disks,
  ...more,
});
const scsi0 = { size: "8G" };
const scsi1 = { storage: "local-lvm", size: "2G" };
const volume = "local-lvm:vm-741-disk-1";

/** What a user does in the web interface. */
function detachByHand(slot: string): void {
  const guest = bench.guest(741);
  const [file = ""] = (guest.config[slot] ?? "").split(",");
  delete guest.config[slot];
  guest.config["unused0"] = file;
}

const fileIn = (slot: string) => bench.config(741)[slot]?.split(",")[0];

describe("a slot that comes back gets its disk back", () => {
  test.each(["stopped", "running"])("that was detached by hand, while the VM is %s", async (power) => {
    const wanted = config({ scsi0, scsi1 }, { power });
    const made = await bench.vm.create(wanted);
    expect(fileIn("scsi1")).toBe(volume);
    detachByHand("scsi1");
    await bench.restart();
    const plan = await bench.vm.plan(await bench.vm.refresh(made), wanted);
    expect(plan.warnings.map(({ summary }) => summary)).toContain("scsi1 gets its disk back");
    const again = await bench.vm.update(made, wanted);
    expect(fileIn("scsi1")).toBe(volume);
    expect(bench.config(741)["unused0"]).toBeUndefined();
    expect(bench.volumes(741)).not.toContain("local-lvm:vm-741-disk-2");
    await bench.vm.destroy(again);
  });

  test("that left the configuration, and grows to what is written now", async () => {
    const made = await bench.vm.create(config({ scsi0, scsi1 }));
    const without = await bench.vm.update(made, config({ scsi0 }));
    expect(bench.config(741)["unused0"]).toBe(volume);
    await bench.restart();
    const again = await bench.vm.update(without, config({ scsi0, scsi1: { size: "4G" } }));
    expect(fileIn("scsi1")).toBe(volume);
    expect(attribute(again, "disks", "scsi1", "size")).toBe("4G");
    await bench.vm.destroy(again);
  });

  test("and is not made from an image, which the plan says", async () => {
    const made = await bench.vm.create(config({ scsi0, scsi1 }));
    const without = await bench.vm.update(made, config({ scsi0 }));
    const { world } = bench.simulator.sim;
    const image = { volid: "nas:import/new.qcow2", content: "import", format: "qcow2", ctime: 1_767_225_600 } as const;
    world.volumes.push({ ...image, node: undefined, size: 1024 ** 3, virtualSize: 1024 ** 3 });
    const imaged = config({ scsi0, scsi1: { ...scsi1, import_from: image.volid } });
    const { warnings } = await bench.vm.plan(without, imaged);
    expect(warnings[0]?.detail).toMatch(
      /attached again with its data\. `nas:import\/new\.qcow2` is not read: remove that volume/,
    );
    await bench.vm.destroy(without);
  });

  test("and is not shrunk", async () => {
    const made = await bench.vm.create(config({ scsi0, scsi1 }));
    const without = await bench.vm.update(made, config({ scsi0 }));
    const smaller = bench.vm.plan(without, config({ scsi0, scsi1: { ...scsi1, size: "1G" } }));
    await expect(smaller).rejects.toThrow(/gets back `local-lvm:vm-741-disk-1`.*at least 2G/s);
    await bench.vm.destroy(without);
  });
});

describe("a slot becomes a new disk", () => {
  test("when its own is gone", async () => {
    const made = await bench.vm.create(config({ scsi0, scsi1 }));
    detachByHand("scsi1");
    delete bench.guest(741).config["unused0"];
    const { world } = bench.simulator.sim;
    world.volumes = world.volumes.filter(({ volid }) => volid !== volume) as typeof world.volumes;
    await bench.restart();
    const again = await bench.vm.update(made, config({ scsi0, scsi1 }));
    expect(attribute(again, "disks", "scsi1", "size")).toBe("2G");
    await bench.vm.destroy(again);
  });

  test("when it was never there; volumes that lie about are named, and `volume` attaches one", async () => {
    const made = await bench.vm.create(config({ scsi0, scsi1 }));
    const without = await bench.vm.update(made, config({ scsi0 }));
    const plan = await bench.vm.plan(without, config({ scsi0, scsi2: scsi1 }));
    const [warning] = plan.warnings;
    expect(warning?.summary).toBe("scsi2 becomes a new disk");
    expect(warning?.detail).toMatch(/volumes that are not attached: `local-lvm:vm-741-disk-1`.*volume = "…"/s);
    const attached = await bench.vm.update(without, config({ scsi0, scsi2: { volume, size: "3G" } }));
    expect(fileIn("scsi2")).toBe(volume);
    expect(attribute(attached, "disks", "scsi2", "size")).toBe("3G");
    expect(attribute(attached, "unused_disks")).toEqual({});
    await bench.vm.destroy(attached);
  });

  test("when another format is asked for", async () => {
    const onNas = (format: string) => config({ scsi0, scsi1: { storage: "nas", size: "2G", format } });
    const made = await bench.vm.create(onNas("qcow2"));
    const without = await bench.vm.update(made, config({ scsi0 }));
    const again = await bench.vm.update(without, onNas("raw"));
    expect(fileIn("scsi1")).toMatch(/\.raw$/);
    expect(bench.config(741)["unused0"]).toMatch(/\.qcow2$/);
    await bench.vm.destroy(again);
  });

  test("when another storage is asked for", async () => {
    const made = await bench.vm.create(config({ scsi0, scsi1 }));
    const without = await bench.vm.update(made, config({ scsi0 }));
    const plan = await bench.vm.plan(without, config({ scsi0, scsi1: { storage: "ceph", size: "2G" } }));
    expect(plan.warnings[0]?.detail).toContain("It had `local-lvm:vm-741-disk-1` before.");
    await bench.vm.destroy(without);
  });
});

describe("a slot that comes back while a restart has yet to take its disk away", () => {
  const running = (disks: Disks, more: Record<string, Input> = {}) => config(disks, { power: "running", ...more });
  const sata2 = { storage: "local-zfs", size: "1G" };

  /** The VM keeps its old disk in `sata2`, and a new one waits for the slot. */
  async function exchanged(wanted: Record<string, Input>) {
    const made = await bench.vm.create(running({ sata2 }));
    const without = await bench.vm.update(made, running({}));
    expect(attribute(without, "pending")).toEqual(["sata2"]);
    return bench.vm.update(without, running({ sata2: wanted }));
  }

  test.each([
    ["moved", { storage: "nas" }, /^nas:/],
    ["grown", { storage: "ceph", size: "8G" }, /^ceph:/],
  ])(
    "gets another one, which is %s only after that restart, and not the old one in its place",
    async (_, next, file) => {
      const waiting = await exchanged({ storage: "ceph", size: "6G" });
      expect(attribute(waiting, "pending")).toEqual(["sata2"]);
      const refused = bench.vm.plan(waiting, running({ sata2: next }));
      await expect(refused).rejects.toThrow(/`sata2`, which a restart will attach, cannot be moved or grown/);
      const changed = await bench.vm.update(waiting, running({ sata2: next }, { restart_policy: "when_needed" }));
      expect(fileIn("sata2")).toMatch(file);
      expect(attribute(changed, "disks", "sata2", "size")).toBe("size" in next ? next.size : "6G");
      expect(Object.values(attribute(changed, "unused_disks") as object)).toEqual([
        expect.stringMatching(/^local-zfs:/),
      ]);
      await bench.vm.destroy(changed);
    },
  );

  test("gets the old one back, which grows only after that restart if its settings wait as well", async () => {
    const made = await bench.vm.create(running({ sata2 }));
    const without = await bench.vm.update(made, running({}));
    const larger = { storage: "local-zfs", size: "3G" };
    const odd = running({ sata2: { ...larger, cache: "none" } });
    await expect(bench.vm.plan(without, odd)).rejects.toThrow(/cannot be moved or grown/);
    const again = await bench.vm.update(without, running({ sata2: larger }));
    expect(attribute(again, "disks", "sata2", "size")).toBe("3G");
    expect(attribute(again, "pending")).toEqual([]);
    await bench.vm.destroy(again);
  });

  test("gets another one at once if it can be plugged by now, and the old one is unused", async () => {
    const virtio1 = { storage: "nas", size: "1G" };
    const made = await bench.vm.create(running({ virtio1 }, { hotplug: [] }));
    const without = await bench.vm.update(made, running({}));
    expect(attribute(without, "pending")).toEqual(["virtio1"]);
    const changed = await bench.vm.update(without, running({ virtio1: { storage: "ceph", size: "7G" } }));
    expect(Object.values(attribute(changed, "unused_disks") as object)).toEqual([expect.stringMatching(/^nas:/)]);
    expect(attribute(changed, "pending")).toEqual([]);
    await bench.vm.destroy(changed);
  });
});

test.each(["scsi1", "sata1"])(
  "a volume that takes the place of another one in %s grows to what is written",
  async (slot) => {
    const [one, two] = [slot, slot.replace("1", "2")];
    const disk = { storage: "local-lvm", size: "1G" };
    const made = await bench.vm.create(config({ [one]: disk, [two]: disk }));
    const other = fileIn(two) ?? "";
    const detached = await bench.vm.update(made, config({ [one]: disk }));
    const started = await bench.vm.update(detached, config({ [one]: disk }, { power: "running" }));
    const wanted = config(
      { [one]: { volume: other, size: "3G" } },
      { power: "running", restart_policy: "when_needed" },
    );
    const exchanged = await bench.vm.update(started, wanted);
    expect(bench.config(741)[one]).toMatch(new RegExp(`^${other},.*size=3G`));
    expect(attribute(exchanged, "pending")).toEqual([]);
    await bench.vm.destroy(exchanged);
  },
);

test.each([
  ["smaller", "1G", {}],
  ["smaller, as written,", "1G", { size: "1G" }],
  ["larger", "3G", {}],
])("a volume that is %s than the one whose place it takes keeps its size", async (_, size, written) => {
  const made = await bench.vm.create(config({ scsi1, scsi2: { ...scsi1, size } }));
  const other = fileIn("scsi2") ?? "";
  const detached = await bench.vm.update(made, config({ scsi1 }));
  const exchanged = await bench.vm.update(detached, config({ scsi1: { volume: other, ...written } }));
  expect(bench.config(741)["scsi1"]).toBe(`${other},size=${size}`);
  expect(attribute(exchanged, "disks", "scsi1", "size")).toBe(size);
  await bench.vm.destroy(exchanged);
});

test("a volume that is in one slot is refused in a second one, whether that slot is configured or not", async () => {
  const made = await bench.vm.create(config({ scsi1 }));
  const twice = (slot: string, file: string) => config({ scsi1, [slot]: { volume: file } });
  const rows = [
    ["scsi2", volume, "scsi1"],
    ["virtio3", "local-lvm:vm-741-disk-0", "scsi0"],
  ] as const;
  for (const [slot, file, holder] of rows) {
    const plan = bench.vm.plan(await bench.vm.refresh(made), twice(slot, file));
    await expect(plan).rejects.toThrow(`\`${file}\` is in \`${holder}\` already`);
  }
  const moved = await bench.vm.update(made, config({ virtio1: { volume } }));
  expect(fileIn("virtio1")).toBe(volume);
  await bench.vm.destroy(moved);
});
