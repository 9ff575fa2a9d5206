import { describe, expect, test } from "vitest";
import type { World } from "../../../../src/simulator/core/world/world.ts";
import {
  cloneImage,
  createBase,
  freeImage,
  isBaseInUse,
  reassignImage,
  resizeImage,
  rollbackImage,
  snapshotImage,
} from "../../../../src/simulator/storage/images.ts";
import type { VolumeFeature } from "../../../../src/simulator/storage/plugins.ts";
import { copySeconds, defaultSpeed, imageFormats, resolveFormat } from "../../../../src/simulator/storage/storages.ts";
import { allocateVolume, findVolume, hasFeature, volumeSize } from "../../../../src/simulator/storage/volumes.ts";
import { storageWorld } from "./lab-world.ts";

const MiB = 2 ** 20;
const GiB = 2 ** 30;

const allocate = (world: World, storage: string, vmid = 100, format = "raw", size = GiB, node = "pve") =>
  allocateVolume(world, { storage, node, vmid, format, size, now: 1 });

describe("a new volume", () => {
  test.each([
    ["dir", "raw", "dir:100/vm-100-disk-0.raw"],
    ["dir", "qcow2", "dir:100/vm-100-disk-0.qcow2"],
    ["dir", "vmdk", "dir:100/vm-100-disk-0.vmdk"],
    ["nfs", "qcow2", "nfs:100/vm-100-disk-0.qcow2"],
    ["btrfs", "raw", "btrfs:100/vm-100-disk-0.raw"],
    ["thin", "raw", "thin:vm-100-disk-0"],
    ["lvm", "raw", "lvm:vm-100-disk-0"],
    ["zfs", "raw", "zfs:vm-100-disk-0"],
    ["zfs", "subvol", "zfs:subvol-100-disk-0"],
    ["rbd", "raw", "rbd:vm-100-disk-0"],
  ])("on %s as %s is %s", (storage, format, volid) => {
    expect(allocate(storageWorld(), storage, 100, format)).toBe(volid);
  });

  test("takes the lowest number that is free", () => {
    const world = storageWorld();
    const first = allocate(world, "thin");
    allocate(world, "thin");
    freeImage(world, first, "pve", () => undefined);
    expect([allocate(world, "thin"), allocate(world, "thin"), allocate(world, "thin", 101)]).toEqual([
      "thin:vm-100-disk-0",
      "thin:vm-100-disk-2",
      "thin:vm-101-disk-0",
    ]);
  });

  test.each([
    ["a directory counts every format", "dir", "qcow2", "dir:100/vm-100-disk-1.qcow2"],
    ["NFS counts only the same format", "nfs", "qcow2", "nfs:100/vm-100-disk-0.qcow2"],
    ["a volume group counts all storages on it", "lvm", "raw", "lvm:vm-100-disk-1"],
  ])("%s", (_, storage, format, volid) => {
    const world = storageWorld();
    allocate(world, storage === "lvm" ? "thin" : storage);
    expect(allocate(world, storage, 100, format)).toBe(volid);
  });

  test("of a storage that is not shared belongs to its node", () => {
    const world = storageWorld();
    expect([allocate(world, "thin", 100, "raw", GiB, "a"), allocate(world, "thin", 100, "raw", GiB, "b")]).toEqual([
      "thin:vm-100-disk-0",
      "thin:vm-100-disk-0",
    ]);
    expect(findVolume(world, "thin:vm-100-disk-0", "c")).toBeUndefined();
    allocate(world, "rbd", 100, "raw", GiB, "a");
    expect(findVolume(world, "rbd:vm-100-disk-0", "c")).toBeDefined();
  });

  test.each([
    ["thin", 528 * 1024, 4 * MiB],
    ["lvm", 4 * MiB + 1, 8 * MiB],
    ["zfs", 528 * 1024, MiB],
    ["rbd", 1, MiB],
    ["dir", 528 * 1024, 528 * 1024],
    ["dir", 1, 1024],
  ])("on %s of %i bytes has %i", (storage, wished, real) => {
    const world = storageWorld();
    expect(volumeSize(world, allocate(world, storage, 100, "raw", wished), "pve")).toBe(real);
  });

  test.each([
    ["thin", "qcow2", "unsupported format 'qcow2'"],
    ["lvm", "qcow2", "unsupported format 'qcow2'"],
    ["zfs", "qcow2", "unsupported format 'qcow2'"],
    ["dir", "subvol", "storage does not support subvol quotas"],
  ])("on %s is never %s", (storage, format, complaint) => {
    expect(() => allocate(storageWorld(), storage, 100, format)).toThrow(complaint);
  });

  test.each([
    [
      "dir",
      "vm-100-cloudinit.qcow2",
      "qcow2",
      "disk image '/srv/dir/images/100/vm-100-cloudinit.qcow2' already exists",
    ],
    [
      "thin",
      "vm-100-cloudinit",
      "raw",
      `lvcreate 'pve/vm-100-cloudinit' error:   Logical Volume "vm-100-cloudinit" already exists in volume group "pve"`,
    ],
    ["zfs", "vm-100-cloudinit", "raw", "zfs error: cannot create 'tank/vms/vm-100-cloudinit': dataset already exists"],
    ["rbd", "vm-100-cloudinit", "raw", "rbd create 'vm-100-cloudinit' error: rbd: create error: (17) File exists"],
  ])("on %s finds the fixed name %s taken", (storage, name, format, complaint) => {
    const world = storageWorld();
    const order = { storage, node: "pve", vmid: 100, format, name, size: MiB, now: 1 };
    allocateVolume(world, order);
    expect(() => allocateVolume(world, order)).toThrow(complaint);
  });
});

describe("a template's disk", () => {
  test.each([
    [
      "dir",
      "dir:100/base-100-disk-0.raw",
      "dir:100/base-100-disk-0.raw/101/vm-101-disk-0.qcow2",
      "../100/base-100-disk-0.raw",
    ],
    ["thin", "thin:base-100-disk-0", "thin:vm-101-disk-0", undefined],
    ["zfs", "zfs:base-100-disk-0", "zfs:base-100-disk-0/vm-101-disk-0", "base-100-disk-0@__base__"],
    ["rbd", "rbd:base-100-disk-0", "rbd:base-100-disk-0/vm-101-disk-0", "base-100-disk-0@__base__"],
    ["btrfs", "btrfs:100/base-100-disk-0.raw", "btrfs:101/vm-101-disk-0.raw", "base-100-disk-0.raw@__base__"],
  ])("on %s is renamed and linked to", (storage, base, clone, parent) => {
    const world = storageWorld();
    expect(createBase(world, allocate(world, storage), "pve")).toBe(base);
    const linked = cloneImage(world, base, { node: "pve", vmid: 101, now: 2 });
    expect(linked).toBe(clone);
    expect(findVolume(world, linked, "pve")).toMatchObject({ size: GiB, vmid: 101, ...(parent && { parent }) });
  });

  test.each([
    ["dir", true],
    ["zfs", true],
    ["rbd", true],
    ["thin", false],
  ])("on %s knows its linked clones: %s", (storage, knows) => {
    const world = storageWorld();
    const base = createBase(world, allocate(world, storage), "pve");
    cloneImage(world, base, { node: "pve", vmid: 101, now: 2 });
    expect(isBaseInUse(world, base, "pve")).toBe(knows);
    const free = () => freeImage(world, base, "pve", () => undefined);
    if (knows) {
      expect(free).toThrow(/^base volume '.*base-100-disk-0.*' is still in use by linked clones/);
    } else {
      expect(free).not.toThrow();
    }
  });

  test("cannot be created twice, nor from a thick volume", () => {
    const world = storageWorld();
    const base = createBase(world, allocate(world, "zfs"), "pve");
    expect(() => createBase(world, base, "pve")).toThrow("create_base not possible with base image");
    expect(() => createBase(world, allocate(world, "lvm"), "pve")).toThrow("can't create base images in lvm storage");
  });

  test("is required for a linked clone", () => {
    const world = storageWorld();
    const clone = (volid: string, snapshot?: string) => () =>
      cloneImage(world, volid, { node: "pve", vmid: 101, snapshot, now: 2 });
    expect(clone(allocate(world, "thin"))).toThrow("clone_image only works on base images");
    expect(clone(allocate(world, "dir"), "s")).toThrow("this storage type does not support clone_image on snapshot");
    expect(clone(allocate(world, "zfs"), "s")).toThrow("clone_image only works on base images");
    expect(clone(allocate(world, "thin"), "s")()).toBe("thin:vm-101-disk-0");
  });
});

describe("the features of a volume", () => {
  const cases: [string, VolumeFeature, string][] = [
    ["dir:100/vm-100-disk-0.qcow2", "snapshot", "yes"],
    ["dir:100/vm-100-disk-0.raw", "snapshot", "no"],
    ["dir:100/base-100-disk-0.raw", "clone", "yes"],
    ["dir:100/vm-100-disk-0.raw", "clone", "no"],
    ["dir:100/vm-100-disk-0.raw", "copy", "yes"],
    ["thin:base-1-disk-0", "clone", "yes"],
    ["thin:vm-1-disk-0", "snapshot", "yes"],
    ["zfs:vm-1-disk-0", "replicate", "yes"],
    ["thin:vm-1-disk-0", "replicate", "no"],
    ["lvm:vm-1-disk-0", "template", "no"],
    ["lvm:vm-1-disk-0", "copy", "yes"],
    ["lvm:vm-1-disk-0", "snapshot", "no"],
    ["rbd:base-1-disk-0", "clone", "yes"],
    ["/dev/sda", "copy", "no"],
  ];
  test.each(cases)("%s: %s? %s", (volid, feature, answer) => {
    expect(hasFeature(storageWorld(), feature, volid)).toBe(answer === "yes");
  });

  test.each<[string, VolumeFeature, boolean]>([
    ["thin:vm-1-disk-0", "clone", true],
    ["thin:vm-1-disk-0", "copy", true],
    ["zfs:vm-1-disk-0", "copy", false],
    ["rbd:vm-1-disk-0", "clone", true],
    ["dir:1/vm-1-disk-0.qcow2", "copy", true],
    ["dir:1/vm-1-disk-0.raw", "copy", false],
  ])("%s at a snapshot: %s? %s", (volid, feature, expected) => {
    expect(hasFeature(storageWorld(), feature, volid, "before")).toBe(expected);
  });

  test("it grows by whole units, and only in formats that can", () => {
    const world = storageWorld();
    expect(resizeImage(world, allocate(world, "thin"), "pve", 2 * GiB + 1)).toBe(2 * GiB + 4 * MiB);
    expect(resizeImage(world, allocate(world, "dir", 100, "qcow2"), "pve", 2 * GiB)).toBe(2 * GiB);
    expect(() => resizeImage(world, allocate(world, "dir", 100, "vmdk"), "pve", 2 * GiB)).toThrow(
      "can't resize this image format",
    );
    expect(() => resizeImage(world, "thin:vm-5-disk-0", "pve", 1)).toThrow("no such logical volume pve/vm-5-disk-0");
  });

  test("it goes to another guest under that guest's next number", () => {
    const world = storageWorld();
    allocate(world, "dir", 101);
    expect(reassignImage(world, allocate(world, "dir", 100), "pve", 101)).toBe("dir:101/vm-101-disk-1.raw");
  });

  test("ZFS goes back to the latest snapshot only", () => {
    const world = storageWorld();
    const volid = allocate(world, "zfs");
    snapshotImage(world, volid, "pve", "a");
    resizeImage(world, volid, "pve", 3 * GiB);
    snapshotImage(world, volid, "pve", "b");
    expect(() => rollbackImage(world, volid, "pve", "a")).toThrow(
      "can't rollback, 'a' is not most recent snapshot on 'zfs:vm-100-disk-0'",
    );
    expect(() => rollbackImage(world, volid, "pve", "c")).toThrow(
      "can't rollback, snapshot 'c' does not exist on 'zfs:vm-100-disk-0'",
    );
    expect(() => rollbackImage(world, volid, "pve", "b")).not.toThrow();
  });
});

describe("formats and speed", () => {
  test.each([
    ["dir", undefined, "raw"],
    ["dir", "qcow2", "qcow2"],
    ["thin", "qcow2", "raw"],
    ["zfs", "qcow2", "raw"],
    ["lvm", "qcow2", "raw"],
  ])("on %s the wish %s gives %s", (storage, wish, format) => {
    const { storages } = storageWorld();
    expect(resolveFormat(storages[storage] as never, wish)).toBe(format);
  });

  test("a volume group with chains keeps qcow2", () => {
    const { storages } = storageWorld({
      chain: { type: "lvm", options: { vgname: "x", "snapshot-as-volume-chain": "1" } },
    });
    expect(imageFormats(storages["chain"] as never)).toEqual({ default: "qcow2", valid: ["raw", "qcow2"] });
  });

  test("100 GiB take 12 s, and the slower of two storages decides", () => {
    const fast = { ...(storageWorld().storages["dir"] as never as { speed: number }), speed: defaultSpeed };
    const slow = { ...fast, speed: defaultSpeed / 10 };
    expect(copySeconds(100 * GiB, fast as never)).toBeCloseTo(12);
    expect(copySeconds(100 * GiB, fast as never, slow as never)).toBeCloseTo(120);
    expect(copySeconds(100 * GiB, slow as never, fast as never)).toBeCloseTo(120);
  });
});
