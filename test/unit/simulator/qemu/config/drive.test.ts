import { describe, expect, test } from "vitest";
import {
  cloudInitSlot,
  drivesOf,
  isCloudInit,
  newDiskPattern,
  parseDrive,
  printDrive,
  unusedDrivesOf,
} from "../../../../../src/simulator/qemu/config/drive.ts";

const reprint = (slot: string, text: string) => {
  const drive = parseDrive(slot, text);
  return drive === undefined ? undefined : printDrive(drive);
};

describe("a drive", () => {
  test.each([
    ["scsi0", "thin:vm-1-disk-0,ssd=1,discard=on", "thin:vm-1-disk-0,discard=on,ssd=1"],
    ["scsi0", "file=thin:vm-1-disk-0,size=10240M", "thin:vm-1-disk-0,size=10G"],
    ["scsi0", "thin:vm-1-disk-0,size=1536M", "thin:vm-1-disk-0,size=1536M"],
    ["scsi0", "thin:vm-1-disk-0,size=528K", "thin:vm-1-disk-0,size=528K"],
    ["scsi0", "volume=thin:vm-1-disk-0,size=513", "thin:vm-1-disk-0,size=513"],
    ["scsi0", "thin:vm-1-disk-0,iothread=yes,ssd=off", "thin:vm-1-disk-0,iothread=1,ssd=0"],
    ["ide2", "none,media=cdrom", "none,media=cdrom"],
    ["ide0", "thin:vm-1-disk-0,cyls=4,size=1G,heads=2,secs=1,trans=none", "thin:vm-1-disk-0,size=1G"],
    ["scsi0", "thin:vm-1-disk-0,bps=1048576", "thin:vm-1-disk-0,mbps=0.000"],
    ["efidisk0", "thin:vm-1-disk-0,efitype=4m,size=4M", "thin:vm-1-disk-0,efitype=4m,size=4M"],
    ["tpmstate0", "thin:vm-1-disk-0,version=v2.0,size=4M", "thin:vm-1-disk-0,size=4M,version=v2.0"],
    ["unused3", "thin:vm-1-disk-0", "thin:vm-1-disk-0"],
  ])("%s: %s is stored as %s", (slot, text, printed) => {
    expect(reprint(slot, text)).toBe(printed);
  });

  test.each([
    ["a limit per direction and one for both", "scsi0", "thin:x,mbps=10,mbps_rd=5"],
    ["a burst without a limit", "scsi0", "thin:x,mbps_max=10"],
    ["a burst's length without a burst", "scsi0", "thin:x,mbps=1,bps_max_length=2"],
    ["one limit in two units", "scsi0", "thin:x,mbps=1,bps=1048576"],
    ["a CD drive with a format", "ide2", "local:iso/a.iso,media=cdrom,format=raw"],
    ["a CD drive on virtio", "virtio0", "local:iso/a.iso,media=cdrom"],
    ["a key of another bus", "virtio0", "thin:x,ssd=1"],
    ["no volume", "scsi0", "ssd=1"],
    ["a slot that takes no drives", "net0", "thin:x"],
    ["where an image comes from, outside of requests", "scsi0", "thin:0,import-from=local:import/a.qcow2"],
  ])("cannot have %s", (_, slot, text) => {
    expect(parseDrive(slot, text)).toBeUndefined();
  });

  test("of a request may say where its image comes from", () => {
    const text = "thin:0,discard=on,import-from=local:import/a.qcow2";
    const drive = parseDrive("scsi0", text, true);
    expect(drive).toEqual({ file: "thin:0", "import-from": "local:import/a.qcow2", discard: "on" });
    expect(drive && printDrive(drive, true)).toBe(text);
  });

  test.each([
    ["thin:32", ["thin", "32"]],
    ["thin:0.5", ["thin", "0.5"]],
    ["8", [undefined, "8"]],
    ["thin:vm-1-disk-0", undefined],
    ["thin:1/x", undefined],
  ])("%s asks for a new disk: %j", (text, expected) => {
    expect(newDiskPattern.exec(text)?.slice(1)).toEqual(expected);
  });

  test.each([
    ["thin:cloudinit", true],
    ["thin:vm-100-cloudinit", true],
    ["dir:100/vm-100-cloudinit.qcow2", true],
    ["local:iso/cloudinit.iso", false],
    ["thin:vm-100-disk-0", false],
    ["none", false],
  ])("%s is a cloud-init drive: %s", (file, expected) => {
    expect(isCloudInit({ file })).toBe(expected);
  });
});

describe("the drives of a configuration", () => {
  const section = {
    name: "x",
    scsi1: "thin:b",
    scsi0: "thin:a",
    virtio0: "thin:c,ssd=1", // cannot be read, so PVE skips it
    ide2: "thin:vm-1-cloudinit,media=cdrom",
    unused1: "thin:d",
  };

  test("come by bus and number, those that can be read", () => {
    expect(drivesOf(section).map(([slot]) => slot)).toEqual(["ide2", "scsi0", "scsi1"]);
  });

  test("leave out those that are not attached", () => {
    expect(unusedDrivesOf(section)).toEqual([["unused1", { file: "thin:d" }]]);
  });

  test("have one slot for cloud-init", () => {
    expect([cloudInitSlot(section), cloudInitSlot(section, "ide2")]).toEqual(["ide2", undefined]);
  });
});
