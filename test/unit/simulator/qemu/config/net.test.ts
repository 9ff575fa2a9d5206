import { describe, expect, test } from "vitest";
import { netsOf, parseIpConfig, parseNet, printNet } from "../../../../../src/simulator/qemu/config/net.ts";

describe("a network device", () => {
  test.each([
    ["virtio=aa:bb:cc:00:00:01,bridge=vmbr0", "virtio=aa:bb:cc:00:00:01,bridge=vmbr0"],
    ["model=e1000,macaddr=AA:BB:CC:00:00:01", "e1000=AA:BB:CC:00:00:01"],
    ["virtio,bridge=vmbr0,tag=5,firewall=yes", "virtio,bridge=vmbr0,firewall=1,tag=5"],
    ["bridge=vmbr0,model=virtio,link_down=1", "virtio,bridge=vmbr0,link_down=1"],
    ["virtio,trunks=2;4-6,mtu=1", "virtio,mtu=1,trunks=2;4-6"],
  ])("%s is stored as %s", (text, printed) => {
    expect(printNet(parseNet(text))).toBe(printed);
  });

  test.each([
    ["no model", "bridge=vmbr0"],
    ["an unknown model", "floppy,bridge=vmbr0"],
    ["a VLAN beyond 4094", "virtio,tag=4095"],
    ["a group address", "virtio=01:00:5E:00:00:01"],
    ["too many queues", "virtio,queues=65"],
    ["an MTU beyond 64 KiB", "virtio,mtu=65521"],
  ])("cannot have %s", (_, text) => {
    expect(() => parseNet(text)).toThrow();
  });

  test("comes in the order of its key as text", () => {
    const section = { net2: "virtio", net10: "virtio", net0: "virtio", network: "x", name: "y" };
    expect(netsOf(section).map(([key]) => key)).toEqual(["net0", "net10", "net2"]);
  });
});

test.each([
  ["ip=192.0.2.5/24,gw=192.0.2.1", { ip: "192.0.2.5/24", gw: "192.0.2.1" }],
  ["ip6=auto", { ip6: "auto" }],
  ["ip=dhcp,ip6=2001:db8::5/64,gw6=2001:db8::1", { ip: "dhcp", ip6: "2001:db8::5/64", gw6: "2001:db8::1" }],
  ["", { ip: "dhcp", ip6: "dhcp" }],
  ["gw=192.0.2.1", undefined],
  ["ip=dhcp,gw=192.0.2.1", undefined],
  ["ip6=auto,gw6=2001:db8::1", undefined],
  ["ip=192.0.2.5", undefined],
])("the addresses '%s' are understood as %j", (text, expected) => {
  expect(parseIpConfig(text)).toEqual(expected);
});
