import { describe, expect, it } from "vitest";
import { PveError } from "../../../../src/pve/errors.ts";
import { ide, scsi, tpmstate } from "../../../../src/pve/properties/drives.ts";
import { hotplug, nameserver, sshKeys, tags } from "../../../../src/pve/properties/list-string.ts";
import { agent, boot, cpu, memory, smbios, startup } from "../../../../src/pve/properties/machine.ts";
import { ipconfig, net } from "../../../../src/pve/properties/network.ts";
import { codecOf, parseSlot } from "../../../../src/pve/properties/option-codecs.ts";
import { hostpci, usb } from "../../../../src/pve/properties/passthrough.ts";

describe("reading a property string", () => {
  it.each([
    [
      "a disk as PVE prints it",
      scsi.parse("local-lvm:vm-100-disk-1,discard=on,iothread=1,size=10G,ssd=1"),
      { file: "local-lvm:vm-100-disk-1", discard: "on", iothread: true, size: "10G", ssd: true },
    ],
    [
      "an alias counts as its sub-key",
      scsi.parse("volume=a:b,iops_rd_length=3"),
      { file: "a:b", iops_rd_max_length: 3 },
    ],
    ["an empty CD drive", ide.parse("none,media=cdrom"), { file: "none", media: "cdrom" }],
    [
      "a card with its address",
      net.parse("virtio=BC:24:11:0A:03:41,bridge=vmbr0,firewall=1,tag=20,trunks=2;4-7"),
      { model: "virtio", macaddr: "BC:24:11:0A:03:41", bridge: "vmbr0", firewall: true, tag: 20, trunks: ["2", "4-7"] },
    ],
    ["a card without one", net.parse("e1000,bridge=vmbr0"), { model: "e1000", bridge: "vmbr0" }],
    [
      "an address in full",
      net.parse("model=virtio,macaddr=02:00:00:00:00:01"),
      { model: "virtio", macaddr: "02:00:00:00:00:01" },
    ],
    [
      "addresses of cloud-init",
      ipconfig.parse("ip=192.0.2.50/24,gw=192.0.2.1"),
      { ip: "192.0.2.50/24", gw: "192.0.2.1" },
    ],
    ["a boot order", boot.parse("order=scsi0;net0"), { order: ["scsi0", "net0"] }],
    ["the blank PVE keeps for an empty boot order", boot.parse(" "), {}],
    ["the legacy boot letters", boot.parse("cdn"), { legacy: "cdn" }],
    [
      "booleans in words",
      agent.parse("enabled=yes,fstrim_cloned_disks=off"),
      { enabled: true, fstrim_cloned_disks: false },
    ],
    [
      "base64 with its padding",
      smbios.parse("base64=1,manufacturer=UUVNVQ=="),
      { base64: true, manufacturer: "UUVNVQ==" },
    ],
    ["memory", memory.parse("2048"), { current: 2048 }],
    [
      "several PCI functions",
      hostpci.parse("0000:01:00.0;0000:01:00.1,pcie=1"),
      { host: ["0000:01:00.0", "0000:01:00.1"], pcie: true },
    ],
  ])("%s", (_, parsed, values) => {
    expect(parsed.values).toEqual(values);
  });

  it("keeps unknown sub-keys", () => {
    expect(scsi.parse("a:b,future=1,ssd=1").unknown).toEqual({ future: "1" });
  });

  it("is not confused by the names of Object's own members", () => {
    const parsed = scsi.parse("a:b,constructor=1,__proto__=2");
    expect(String(parsed)).toBe("a:b,constructor=1,__proto__=2");
    expect(Object.getPrototypeOf(parsed.values)).toBe(Object.prototype);
  });

  it.each([
    ["a word where a number belongs", () => scsi.parse("a:b,iops=many"), /"many" is not a value of the sub-key iops/],
    ["a bare value where there is no default", () => ipconfig.parse("dhcp"), /"dhcp" has no name/],
  ])("%s is malformed", (_, parse, message) => {
    expect(parse).toThrow(PveError);
    expect(parse).toThrow(message);
  });
});

describe("writing a property string", () => {
  it.each([
    [
      "default key first and bare, the rest by name",
      scsi.print({ ssd: true, file: "local:8", cache: "none" }),
      "local:8,cache=none,ssd=1",
    ],
    [
      "model and address in one",
      net.print({ bridge: "vmbr0", macaddr: "AA:BB", model: "virtio" }),
      "virtio=AA:BB,bridge=vmbr0",
    ],
    ["a model alone", net.print({ bridge: "vmbr0", model: "virtio" }), "virtio,bridge=vmbr0"],
    ["lists with semicolons", boot.print({ order: ["scsi0", "net0"] }), "order=scsi0;net0"],
    ["booleans as digits", usb.print({ mapping: "stick", usb3: false }), "mapping=stick,usb3=0"],
    ["numbers", startup.print({ order: 1, up: 30 }), "1,up=30"],
    ["a zero, which would be empty without a name", startup.print({ order: 0 }), "order=0"],
    ["a device with one key", tpmstate.print({ file: "local-lvm:4", version: "v2.0" }), "local-lvm:4,version=v2.0"],
  ])("prints %s", (_, printed, line) => {
    expect(printed).toBe(line);
  });
});

describe("changing a property string", () => {
  const card = net.parse("virtio=BC:24:11:0A:03:41,bridge=vmbr0,future=x,firewall=1");
  it.each([
    [
      "a value in its place",
      card.with({ bridge: "vmbr1" }),
      "virtio=BC:24:11:0A:03:41,bridge=vmbr1,future=x,firewall=1",
    ],
    [
      "the model, keeping the address",
      card.with({ model: "e1000" }),
      "e1000=BC:24:11:0A:03:41,bridge=vmbr0,future=x,firewall=1",
    ],
    [
      "the address, keeping the model",
      card.with({ macaddr: "02:00:00:00:00:01" }),
      "virtio=02:00:00:00:00:01,bridge=vmbr0,future=x,firewall=1",
    ],
    [
      "a new sub-key at the end",
      card.with({ tag: 20 }),
      "virtio=BC:24:11:0A:03:41,bridge=vmbr0,future=x,firewall=1,tag=20",
    ],
    ["an undefined one, removed", card.with({ firewall: undefined }), "virtio=BC:24:11:0A:03:41,bridge=vmbr0,future=x"],
    ["the address, removed", card.with({ macaddr: undefined }), "virtio,bridge=vmbr0,future=x,firewall=1"],
    [
      "the model, removed",
      card.with({ model: undefined }),
      "macaddr=BC:24:11:0A:03:41,bridge=vmbr0,future=x,firewall=1",
    ],
    [
      "an address to a bare model",
      net.parse("virtio,bridge=vmbr0").with({ macaddr: "AA:BB" }),
      "virtio=AA:BB,bridge=vmbr0",
    ],
    ["a default key to a line without it", cpu.parse("flags=+aes").with({ cputype: "host" }), "host,flags=+aes"],
    ["a boot order in place of the blank", boot.parse(" ").with({ order: ["scsi0"] }), "order=scsi0"],
    [
      "an equal boolean in another spelling: untouched",
      agent.parse("enabled=yes").with({ enabled: true }),
      "enabled=yes",
    ],
    ["an equal list: untouched", boot.parse("order=scsi0;net0").with({ order: ["scsi0", "net0"] }), "order=scsi0;net0"],
  ])("%s", (_, changed, line) => {
    expect(String(changed)).toBe(line);
  });
});

describe("plain lists", () => {
  it.each([
    [tags.parse("alpha;beta"), ["alpha", "beta"]],
    [tags.parse(" "), []],
    [hotplug.parse("network,disk"), ["network", "disk"]],
    [nameserver.parse("1.1.1.1 8.8.8.8"), ["1.1.1.1", "8.8.8.8"]],
    [
      sshKeys.parse("ssh-ed25519%20AAAA%20me%40host%0Assh-rsa%20B%2BC%2F%3D%0A"),
      ["ssh-ed25519 AAAA me@host", "ssh-rsa B+C/="],
    ],
  ])("%s", (parsed, items) => {
    expect(parsed.items).toEqual(items);
    expect(String(parsed.with(items))).toBe(String(parsed));
  });

  it("encodes SSH keys with the characters that PVE accepts", () => {
    expect(sshKeys.print(["ssh-rsa B+C/= me@host", "x"])).toMatch(/^[-%a-zA-Z0-9_.!~*'()]+$/);
  });

  it("writes 0 for no hot-plug", () => {
    expect(hotplug.print([])).toBe("0");
  });
});

describe("slots", () => {
  it.each([
    ["scsi30", { family: "scsi", index: 30 }],
    ["net0", { family: "net", index: 0 }],
    ["smbios1", { family: "smbios", index: 1 }],
    ["scsi31", null],
    ["scsi01", null],
    ["numa", null],
    ["memory", null],
    ["constructor0", null],
  ])("%s", (key, slot) => {
    expect(parseSlot(key)).toEqual(slot);
  });

  it.each(["name", "numa", "serial0", "toString", "scsi"])("%s is not a packed option", (key) => {
    expect(codecOf(key)).toBeNull();
  });
});
