import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Input } from "../../harness/index.ts";
import { attribute } from "../resource-bench.ts";
import { Bench, fromImage, rootfs } from "./suite.ts";

let bench: Bench;

beforeAll(async () => {
  bench = await Bench.openWith();
});
afterAll(() => bench.close());

const vmid = 600;
const root = `local-lvm:vm-${vmid}-disk-0`;
const large = `local-lvm:vm-${vmid}-disk-1`;
const small = `local-lvm:vm-${vmid}-disk-2`;

const config = (mounts: Record<string, object>) =>
  ({ ...fromImage, vmid, name: "attached", power: "stopped", mounts: { rootfs, ...mounts } }) as Input;

/** A container with two volumes that no slot has, of 3 GiB and of 1 GiB. */
async function withDetached() {
  const data = (size: string, path: string) => ({ storage: "local-lvm", size, path });
  const made = await bench.container.create(config({ mp0: data("3G", "/a"), mp1: data("1G", "/b") }));
  return bench.container.update(made, config({}));
}

const sizeOn = (volume: string) =>
  (bench.simulator.sim.world.volumes.find(({ volid }) => volid === volume)?.size ?? 0) / 2 ** 30;

describe("another volume in a slot", () => {
  test.each([
    ["smaller", large, small],
    ["larger", small, large],
  ])("that is %s keeps its size", async (_, first, second) => {
    const detached = await withDetached();
    const one = await bench.container.update(detached, config({ mp5: { volume: first, path: "/a" } }));
    const other = await bench.container.update(one, config({ mp5: { volume: second, path: "/a" } }));
    expect([sizeOn(large), sizeOn(small)]).toEqual([3, 1]);
    expect(attribute(other, "mounts", "mp5", "size")).toBe(second === large ? "3G" : "1G");
    await bench.container.destroy(other);
  });

  test("is not shrunk once it is there", async () => {
    const detached = await withDetached();
    const mounted = await bench.container.update(detached, config({ mp5: { volume: large, path: "/a" } }));
    const smaller = bench.container.plan(mounted, config({ mp5: { volume: large, size: "1G", path: "/a" } }));
    await expect(smaller).rejects.toThrow(/Disks cannot shrink.*3G.*1G/s);
    await bench.restart();
    await bench.container.destroy(mounted);
  });
});

describe("a volume in two slots", () => {
  const at = (volume: string, path: string) => ({ volume, path });

  test.each<[string, Record<string, object>, RegExp]>([
    ["of one plan", { mp3: at(large, "/w"), mp4: at(large, "/q") }, /Volume used twice.*`mp3` already/s],
    ["one of which has it", { mp4: at(small, "/q"), mp5: at(small, "/b") }, /Volume used twice.*`mp5` already/s],
    ["one of which is the root file system", { mp3: at(root, "/w") }, /Volume used twice.*`rootfs` already/s],
  ])("%s is refused", async (_, mounts, message) => {
    const detached = await withDetached();
    const before = await bench.container.update(detached, config({ mp5: at(small, "/b") }));
    await expect(bench.container.plan(before, config(mounts))).rejects.toThrow(message);
    await bench.restart();
    await bench.container.destroy(before);
  });

  test("is accepted where it goes from one to the other", async () => {
    const detached = await withDetached();
    const before = await bench.container.update(detached, config({ mp5: at(small, "/b"), mp6: at(large, "/a") }));
    const swapped = await bench.container.update(before, config({ mp5: at(large, "/b"), mp6: at(small, "/a") }));
    expect(bench.config(vmid)).toMatchObject({
      mp5: expect.stringContaining(large),
      mp6: expect.stringContaining(small),
    });
    const moved = await bench.container.update(swapped, config({ mp7: at(large, "/b"), mp6: at(small, "/a") }));
    expect(bench.config(vmid)["mp7"]).toContain(large);
    await bench.container.destroy(moved);
  });
});

describe("a volume that was allocated before its container", () => {
  const volume = "local-lvm:vm-640-disk-9";
  const own = { vmid: 640, name: "prepared", power: "stopped" };
  const mounts = { rootfs, mp0: { volume, path: "/data" } };

  test("is attached to the new container", async () => {
    const { world } = bench.simulator.sim;
    const image = { volid: volume, content: "images", format: "raw", size: 2 ** 30, vmid: 640, node: "pve1" } as const;
    world.volumes.push({ ...image, ctime: 1_767_225_600 });
    await bench.restart();
    const made = await bench.container.create({ ...fromImage, ...own, mounts } as Input);
    expect(attribute(made, "mounts", "mp0", "volume")).toBe(volume);
    await bench.container.destroy(made);
  });

  test("has to exist", async () => {
    await bench.restart();
    const plan = bench.container.plan(null, { ...fromImage, ...own, mounts } as Input);
    await expect(plan).rejects.toThrow("No such volume");
  });
});
