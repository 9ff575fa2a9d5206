import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseSize, printSize } from "../../../src/pve/size.ts";
import { parseUpid } from "../../../src/pve/upid.ts";
import { parseVolumeId } from "../../../src/pve/volume-id.ts";

describe("a size", () => {
  it.each([
    ["32G", 34_359_738_368],
    ["4M", 4_194_304],
    ["528K", 540_672],
    ["1T", 1_099_511_627_776],
    ["1.5G", 1_610_612_736],
    ["131072", 131_072],
    ["0", 0],
  ])("%s is %i bytes", (text, bytes) => {
    expect(parseSize(text)).toBe(bytes);
  });

  it.each([
    [34_359_738_368, "32G"],
    [33_280 * 1024 ** 2, "33280M"],
    [1024 ** 4, "1T"],
    [540_672, "528K"],
    [1000, "1000"],
    [0, "0"],
  ])("%i bytes are printed as %s", (bytes, text) => {
    expect(printSize(bytes)).toBe(text);
  });

  it("reads back as it was printed", () => {
    fc.assert(
      fc.property(fc.maxSafeNat(), (bytes) => {
        expect(parseSize(printSize(bytes))).toBe(bytes);
      }),
    );
  });

  it.each(["", "10GB", "-1G", "1,5G", "G", "1e3"])("cannot be %j", (text) => {
    expect(() => parseSize(text)).toThrow("is not a size");
  });
});

describe("a task id", () => {
  it("names node, times, kind, guest and user", () => {
    const text = "UPID:pve1:0003B4A1:01E2F3A4:66C1D2E3:qmclone:9000:tf@pve!ci:";
    expect(parseUpid(text)).toEqual({
      text,
      node: "pve1",
      pid: 242_849,
      pstart: 31_650_724,
      startTime: 1_723_978_467,
      type: "qmclone",
      id: "9000",
      user: "tf@pve!ci",
    });
  });

  it.each([
    ["an empty id", "UPID:pve:0003B4A1:01E2F3A4:66C1D2E3:imgcopy::root@pam:", { id: "" }],
    [
      "a storage in its id",
      "UPID:pve:0003B4A1:01E2F3A4:66C1D2E3:imgdel:210@local-lvm:root@pam:",
      { id: "210@local-lvm" },
    ],
    [
      "a host that is up for years",
      "UPID:pve:0003B4A1:101E2F3A4:66C1D2E3:qmstart:1:root@pam:",
      { pstart: 4_326_618_020 },
    ],
  ])("may have %s", (_, text, expected) => {
    expect(parseUpid(text)).toMatchObject(expected);
  });

  it.each([
    "",
    "OK",
    "UPID:pve:1:2:3:qmstart:100:root@pam:",
    "UPID:pve:0003B4A1:01E2F3A4:66C1D2E3:qmclone:9000:root@pam",
  ])("is not %j", (text) => {
    expect(() => parseUpid(text)).toThrow("is not a task id");
  });
});

describe("a volume id", () => {
  it.each([
    ["local-lvm:vm-100-disk-0", { storage: "local-lvm", vmid: 100, isBase: false }],
    ["local-lvm:base-9000-disk-0", { vmid: 9000, isBase: true }],
    ["data:100/vm-100-disk-0.qcow2", { vmid: 100, format: "qcow2" }],
    [
      "data:9000/base-9000-disk-0.qcow2/101/vm-101-disk-0.qcow2",
      { vmid: 101, base: "base-9000-disk-0.qcow2", format: "qcow2", isBase: false },
    ],
    ["zfs:base-9000-disk-0/vm-101-disk-0", { vmid: 101, base: "base-9000-disk-0" }],
    ["local-lvm:vm-100-cloudinit", { vmid: 100, isCloudInit: true }],
    ["data:100/vm-100-cloudinit.qcow2", { vmid: 100, isCloudInit: true, format: "qcow2" }],
    ["local-lvm:vm-100-state-before", { vmid: 100, isCloudInit: false }],
    ["local:iso/debian.iso", { storage: "local", content: "iso" }],
    ["local:snippets/user.yaml", { content: "snippets" }],
  ])("%s", (text, expected) => {
    expect(parseVolumeId(text)).toMatchObject(expected);
    const { storage, name } = parseVolumeId(text) ?? {};
    expect(`${storage}:${name}`).toBe(text);
  });

  it.each(["none", "cdrom", "/dev/sda", "local-lvm", ""])("is not %j", (text) => {
    expect(parseVolumeId(text)).toBeNull();
  });
});
