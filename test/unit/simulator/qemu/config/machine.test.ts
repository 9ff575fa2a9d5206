import { describe, expect, test } from "vitest";
import {
  checkMachine,
  checkMachineVersion,
  isQ35,
  parseMachine,
  pinMachine,
  runningMachine,
  windowsVersion,
} from "../../../../../src/simulator/qemu/config/machine.ts";

const qemuVersion = "11.0.0";

describe("the machine type", () => {
  test.each([
    [undefined, "win11", "pc-i440fx-11.0+pve2"],
    ["pc", "w2k8", "pc-i440fx-11.0+pve2"],
    ["q35", "win10", "pc-q35-11.0+pve2"],
    ["type=q35,viommu=intel", "win11", "pc-q35-11.0+pve2,viommu=intel"],
    ["pc-q35-9.0", "win11", "pc-q35-9.0"],
    ["q35", "l26", "q35"],
    [undefined, "l26", ""],
    [undefined, undefined, ""],
  ])("%s of a %s guest is stored as '%s'", (machine, ostype, expected) => {
    expect(pinMachine({ machine, ostype, arch: "x86_64", qemuVersion }, () => undefined)).toBe(expected);
  });

  test("is reported when it is pinned", () => {
    const lines: string[] = [];
    pinMachine({ machine: undefined, ostype: "win11", arch: "x86_64", qemuVersion: "10.2.1" }, (line) =>
      lines.push(line),
    );
    expect(lines).toEqual(["pinning machine type to 'pc-i440fx-10.2' for Windows guest OS"]);
  });

  test.each([
    ["pc,viommu=intel", "to use Intel vIOMMU please set the machine type to q35"],
    ["q35,viommu=intel,aw-bits=42", "Intel vIOMMU supports only 39 or 48 bits as address width"],
    ["q35,aw-bits=48", "cannot set aw-bits if no vIOMMU is configured"],
  ])("cannot be %s", (machine, complaint) => {
    expect(() => checkMachine(parseMachine(machine))).toThrow(complaint);
  });

  test.each([
    [
      "pc-q35-11.1",
      "Installed QEMU version '11.0.0' is too old to run machine type 'pc-q35-11.1+pve0', please upgrade node 'pve'",
    ],
    [
      "pc-q35-11.0+pve9",
      "Installed qemu-server (max feature level for 11.0 is pve2) is too old to run machine type 'pc-q35-11.0+pve9', please upgrade node 'pve'",
    ],
  ])("must not be newer than what is installed: %s", (type, complaint) => {
    expect(() => checkMachineVersion(type, qemuVersion, "pve")).toThrow(complaint);
  });

  test.each([undefined, "pc", "q35", "pc-i440fx-9.2+pve1", "pc-q35-11.0+pve2"])("%s can run", (type) => {
    expect(() => checkMachineVersion(type, qemuVersion, "pve")).not.toThrow();
  });

  test.each([
    [undefined, "pc-i440fx-11.0+pve0"],
    ["q35", "pc-q35-11.0+pve0"],
    ["pc-q35-9.2+pve1", "pc-q35-9.2+pve1"],
    ["pc-q35-9.0", "pc-q35-9.0+pve0"],
  ])("%s runs as %s", (machine, expected) => {
    expect(runningMachine(machine, qemuVersion)).toBe(expected);
  });

  test.each([
    [undefined, false],
    ["pc", false],
    ["q35", true],
    ["pc-q35-9.0,viommu=virtio", true],
  ])("%s is a q35: %s", (machine, expected) => {
    expect(isQ35(machine)).toBe(expected);
  });
});

test.each([
  ["win11", 11],
  ["win7", 7],
  ["w2k8", 6],
  ["wxp", 5],
  ["l26", 0],
  [undefined, 0],
])("the guest %s counts as Windows %i", (ostype, version) => {
  expect(windowsVersion(ostype)).toBe(version);
});
