import { describe, expect, test } from "vitest";
import { parseVolumeId, parseVolumeName, volumePath } from "../../../../src/simulator/storage/volume-name.ts";
import { storageWorld } from "./lab-world.ts";

const { storages } = storageWorld();
const storage = (id: string) => storages[id] as NonNullable<(typeof storages)[string]>;

describe("the parts of a volume's name", () => {
  test.each<[string, string, object]>([
    ["dir", "100/vm-100-disk-0.raw", { content: "images", vmid: 100, isBase: false, format: "raw" }],
    ["dir", "100/base-100-disk-0.qcow2", { isBase: true, format: "qcow2", name: "base-100-disk-0.qcow2" }],
    ["dir", "9/base-9-disk-0.raw/101/vm-101-disk-0.qcow2", { vmid: 101, base: { name: "base-9-disk-0.raw", vmid: 9 } }],
    ["dir", "100/subvol-100-disk-0.subvol", { format: "subvol" }],
    ["dir", "iso/debian 13.iso", { content: "iso", name: "debian 13.iso", format: "raw" }],
    ["dir", "iso/x.IMG", { content: "iso" }],
    ["dir", "vztmpl/debian-13.tar.zst", { content: "vztmpl" }],
    ["dir", "backup/vzdump-qemu-100-2026_01_01-00_00_00.vma.zst", { content: "backup", vmid: 100 }],
    ["dir", "snippets/user.yaml", { content: "snippets" }],
    ["dir", "import/cloud.qcow2", { content: "import", format: "qcow2" }],
    ["dir", "import/appliance.ova/disk 1.vmdk", { content: "import", format: "ova+vmdk" }],
    ["thin", "vm-100-disk-0", { vmid: 100, isBase: false, format: "raw" }],
    ["thin", "base-100-disk-0", { isBase: true }],
    ["lvm", "vm-100-disk-0.qcow2", { format: "qcow2" }],
    ["zfs", "base-9-disk-0/vm-101-disk-0", { vmid: 101, base: { name: "base-9-disk-0", vmid: 9 } }],
    ["zfs", "subvol-100-disk-0", { format: "subvol" }],
    ["zfs", "basevol-100-disk-0", { format: "subvol", isBase: true }],
    ["rbd", "base-9-disk-0/vm-101-disk-0", { vmid: 101, base: { name: "base-9-disk-0", vmid: 9 } }],
  ])("on %s: %s", (id, volname, expected) => {
    expect(parseVolumeName(storage(id), volname)).toMatchObject(expected);
  });

  test.each([
    ["dir", "films/x.mp4", "unable to parse directory volume name 'films/x.mp4'"],
    ["dir", "iso/x.txt", "unable to parse directory volume name 'iso/x.txt'"],
    ["dir", "100/x.vdi", "unable to parse volume filename 'x.vdi'"],
    ["dir", "100/snap-a-vm-100-disk-0.qcow2", "'snap-a-vm-100-disk-0.qcow2' is a snapshot filename, not a volume!"],
    ["thin", "swap", "unable to parse lvm volume name 'swap'"],
    ["thin", "vm-1 00", "lvm name 'vm-1 00' contains illegal characters"],
    ["lvm", "base-100-disk-0", "unable to parse lvm volume name 'base-100-disk-0'"],
    ["zfs", "data", "unable to parse zfs volume name 'data'"],
    ["rbd", "data", "unable to parse rbd volume name 'data'"],
  ])("on %s not: %s", (id, volname, complaint) => {
    expect(() => parseVolumeName(storage(id), volname)).toThrow(complaint);
  });

  test("is separated from its storage's name", () => {
    expect(parseVolumeId("local-lvm:vm-1-a:b")).toEqual({ storage: "local-lvm", volname: "vm-1-a:b" });
    expect(() => parseVolumeId("1:x")).toThrow("unable to parse volume ID '1:x'");
    expect(() => parseVolumeId("/dev/sda")).toThrow("unable to parse volume ID '/dev/sda'");
  });
});

describe("where the host finds a volume", () => {
  test.each([
    ["dir", "100/vm-100-disk-0.raw", "/srv/dir/images/100/vm-100-disk-0.raw"],
    ["dir", "iso/a.iso", "/srv/dir/template/iso/a.iso"],
    ["dir", "vztmpl/a.tar.gz", "/srv/dir/template/cache/a.tar.gz"],
    ["dir", "import/a.qcow2", "/srv/dir/import/a.qcow2"],
    ["thin", "vm-100-disk-0", "/dev/pve/vm-100-disk-0"],
    ["zfs", "vm-100-disk-0", "/dev/zvol/tank/vms/vm-100-disk-0"],
    ["zfs", "subvol-100-disk-0", "/tank/vms/subvol-100-disk-0"],
    ["rbd", "vm-100-disk-0", "rbd:vms/vm-100-disk-0"],
  ])("on %s: %s", (id, volname, path) => {
    expect(volumePath(storage(id), volname)).toBe(path);
  });

  test("may be another directory than usual", () => {
    const local = { ...storage("dir"), options: { path: "/srv", "content-dirs": "iso=discs,import=in" } };
    expect(volumePath(local, "iso/a.iso")).toBe("/srv/discs/a.iso");
    expect(volumePath(local, "import/a.raw")).toBe("/srv/in/a.raw");
  });
});
