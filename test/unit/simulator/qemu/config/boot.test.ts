import { describe, expect, test } from "vitest";
import {
  bootDiskSize,
  bootOrder,
  defaultBootDevices,
  effectiveBootOrder,
  printBootOrder,
} from "../../../../../src/simulator/qemu/config/boot.ts";

type Section = Record<string, string>;

describe("the boot order", () => {
  test.each<[Section, string[]]>([
    [{ boot: "order=scsi0;net0" }, ["scsi0", "net0"]],
    [{ boot: "cdn" }, []],
    [{ boot: " " }, []],
    [{}, []],
  ])("given by %j is %j", (section, expected) => {
    expect(bootOrder(section)).toEqual(expected);
  });

  test.each([
    [["scsi0", "ide2"], "order=scsi0;ide2"],
    [[], ""],
  ])("of %j is printed as '%s'", (devices, expected) => {
    expect(printBootOrder(devices)).toBe(expected);
  });

  const disk = "thin:vm-1-disk-0,size=1G";
  const iso = "local:iso/a.iso,media=cdrom";

  test.each<[Section, string[]]>([
    [{ scsi3: disk, scsi1: disk, ide2: iso, net1: "virtio", net0: "virtio" }, ["scsi1", "ide2", "net0"]],
    [{ virtio0: disk, scsi0: disk }, ["scsi0"]],
    [{ efidisk0: disk, tpmstate0: disk }, []],
    [{ ide2: "none,media=cdrom" }, ["ide2"]],
    [{}, []],
  ])("PVE chooses for %j is %j", (section, expected) => {
    expect(defaultBootDevices(section)).toEqual(expected);
  });

  test.each<[Section, string[]]>([
    [{ boot: "order=net0", scsi0: disk }, ["net0"]],
    [{ bootdisk: "scsi0", scsi0: disk, ide2: iso, net0: "virtio" }, ["scsi0", "ide2", "net0"]],
    [{ boot: "nd", bootdisk: "scsi0", scsi0: disk, ide2: iso, net0: "virtio" }, ["net0", "ide2"]],
    [{ boot: "c", bootdisk: "scsi1", scsi0: disk }, []],
  ])("in effect for %j is %j", (section, expected) => {
    expect(effectiveBootOrder(section)).toEqual(expected);
  });

  test.each<[Section, number | undefined]>([
    [{ boot: "order=net0;ide2;scsi0", ide2: iso, scsi0: disk }, 2 ** 30],
    [{ bootdisk: "scsi0", scsi0: disk }, 2 ** 30],
    [{ boot: "order=scsi0", scsi0: "thin:vm-1-disk-0" }, undefined],
    [{ scsi0: disk }, undefined],
  ])("has the size of the disk of %j: %s", (section, expected) => {
    expect(bootDiskSize(section)).toBe(expected);
  });
});
