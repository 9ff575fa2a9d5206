import { describe, expect, test } from "vitest";
import { configOptions, isDriveSlot, requestOptions } from "../../../../../src/simulator/qemu/config/options.ts";
import { storeSection } from "../../../../../src/simulator/qemu/config/stored-value.ts";

describe("the options", () => {
  test.each([
    ["ide", 4],
    ["sata", 6],
    ["scsi", 31],
    ["virtio", 16],
    ["net", 32],
    ["ipconfig", 32],
    ["unused", 256],
    ["usb", 14],
    ["hostpci", 16],
    ["serial", 4],
    ["parallel", 3],
    ["numa", 8],
    ["virtiofs", 10],
  ])("have %s in %i places", (prefix, count) => {
    const names = Object.keys(configOptions).filter((name) => name.replace(/\d+$/, "") === prefix && name !== prefix);
    expect(names).toHaveLength(count);
  });

  test("the server writes itself are not to be requested", () => {
    const own = Object.keys(configOptions).filter((name) => !(name in requestOptions));
    expect(own.sort()).toEqual(
      "meta parent running-nets-host-mtu runningcpu runningmachine snaptime vmstate".split(" "),
    );
  });

  test.each([
    ["scsi30", true],
    ["scsi31", false],
    ["efidisk0", true],
    ["tpmstate0", true],
    ["unused0", false],
    ["net0", false],
  ])("%s is a drive: %s", (name, expected) => {
    expect(isDriveSlot(name)).toBe(expected);
  });
});

describe("the formats", () => {
  test.each([
    ["agent", "1,type=isa,fstrim_cloned_disks=1"],
    ["audio0", "device=AC97,driver=none"],
    ["cpu", "x86-64-v2-AES,flags=+aes;-pcid"],
    ["hostpci0", "0000:01:00.0;0000:01:00.1,pcie=1,rombar=0"],
    ["hostpci0", "mapping=gpu"],
    ["machine", "pc-q35-9.2+pve1,viommu=intel"],
    ["net0", "virtio=BC:24:11:00:00:01,bridge=vmbr0,rate=12.5"],
    ["numa0", "cpus=0-1;4,memory=512,hostnodes=0-1,policy=bind"],
    ["rng0", "/dev/urandom,max_bytes=1024,period=1000"],
    ["smbios1", "uuid=6a3e2d59-11b7-4f3c-9f6b-0e8d0c7f2b11,serial=YWI=,base64=1"],
    ["startup", "order=1,up=30,down=60"],
    ["startup", "7"],
    ["usb0", "host=1234:abcd,usb3=1"],
    ["usb1", "spice"],
    ["vga", "std,memory=32"],
    ["virtiofs0", "share,cache=always,direct-io=1"],
    ["watchdog", "i6300esb,action=reset"],
  ])("%s takes %s", (key, value) => {
    expect(storeSection({ [key]: value })).toEqual({ [key]: value });
  });

  test.each([
    ["agent", "1,type=tcp"],
    ["audio0", "driver=spice"],
    ["cpu", "z80"],
    ["hostpci0", "1"],
    ["net0", "virtio=nomac"],
    ["numa0", "memory=512"],
    ["smbios1", "uuid=1"],
    ["startup", "later"],
    ["usb0", "host=zzzz"],
    ["vga", "std,memory=2"],
    ["watchdog", "i6300esb,action=shout"],
  ])("%s refuses %s", (key, value) => {
    expect(() => storeSection({ [key]: value })).toThrow(`unable to parse value of '${key}' - `);
  });
});
