import { describe, expect, test } from "vitest";
import * as access from "../../../../../src/simulator/core/access/formats.ts";
import { failureText } from "../../../../../src/simulator/core/kernel/failure.ts";
import { type Format, splitList } from "../../../../../src/simulator/core/schema/format.ts";
import * as formats from "../../../../../src/simulator/core/schema/formats.ts";
import * as network from "../../../../../src/simulator/core/schema/network-formats.ts";
import { formatSize, parseSize } from "../../../../../src/simulator/core/schema/size.ts";

interface Row {
  readonly format: Format;
  readonly good: readonly string[];
  /** Value → PVE's text about it. */
  readonly bad: Readonly<Record<string, string>>;
}

const rows: readonly Row[] = [
  { format: formats.vmidFormat, good: ["100", "999999999"], bad: { "99": "value does not look like a valid VM ID" } },
  {
    format: formats.nodeFormat,
    good: ["pve", "PVE-1", "9"],
    bad: { pve_1: "value does not look like a valid node name", "-a": "value does not look like a valid node name" },
  },
  {
    format: formats.storageIdFormat,
    good: ["local-lvm", "ab"],
    bad: {
      a: "storage ID 'a' cannot be shorter than 2 characters",
      "1a": "storage ID '1a' contains illegal characters",
    },
  },
  { format: formats.configIdFormat, good: ["ab", "A-_9"], bad: { a: "invalid configuration ID 'a'" } },
  {
    format: formats.urlEncodedFormat,
    good: ["", "ssh-rsa%20AAA%2B"],
    bad: { "a b": "invalid urlencoded string: a b" },
  },
  { format: formats.tagListFormat, good: ["", "a;B,c d", "x.y+z"], bad: { "a;-b": "invalid characters in tag" } },
  {
    format: formats.emailOptionalFormat,
    good: ["", "a.b@example.com"],
    bad: { noone: "value does not look like a valid email address" },
  },
  {
    format: formats.startupOrderFormat,
    good: ["1", "order=1,up=2", "down=3"],
    bad: { first: "unable to parse startup options" },
  },
  {
    format: formats.diskSizeFormat,
    good: ["1", "1.5G", "4MiB"],
    bad: { "1GB": "value does not look like a valid disk size: 1GB" },
  },
  {
    format: formats.vlanIdOrRangeFormat,
    good: ["2", "100-200"],
    bad: {
      "1": "invalid VLAN tag '1'",
      "9-3": "VLAN range must go from lower to higher tag '9-3'",
      x: "invalid VLAN configuration 'x'",
    },
  },
  {
    format: formats.storagePairListFormat,
    good: ["1", "local", "a1:b1,c1:d1"],
    bad: { "a1:9": "entry 'a1:9' contains invalid ID - storage ID '9' cannot be shorter than 2 characters\n\n\n" },
  },
  {
    format: network.dnsNameFormat,
    good: ["a", "web-1.example.com"],
    bad: { a_b: "value does not look like a valid DNS name", "a.": "value does not look like a valid DNS name" },
  },
  {
    format: network.ipFormat,
    good: ["10.0.0.1", "::1", "2001:db8::8a2e:370:7334", "::ffff:10.0.0.1", "fe80::"],
    bad: {
      "256.1.1.1": "value does not look like a valid IP address",
      "1:2:3:4:5:6:7": "value does not look like a valid IP address",
      "1::2::3": "value does not look like a valid IP address",
    },
  },
  {
    format: network.cidrV4Format,
    good: ["10.0.0.1/24", "10.0.0.0/8"],
    bad: {
      "10.0.0.1": "value does not look like a valid IPv4 CIDR network",
      "10.0.0.1/7": "value does not look like a valid IPv4 CIDR network",
      "10.0.0.1/33": "value does not look like a valid IPv4 CIDR network",
    },
  },
  {
    format: network.ipv6ConfigFormat,
    good: ["auto", "dhcp", "2001:db8::1/64"],
    bad: { static: "value does not look like a valid ipv6 network configuration" },
  },
  {
    format: network.ipv4MaskFormat,
    good: ["255.255.255.0", "0.0.0.0"],
    bad: { "255.0.255.0": "value does not look like a valid IP netmask" },
  },
  {
    format: network.macAddressFormat,
    good: ["BC:24:11:00:00:01", "02:00:00:00:00:00"],
    bad: { "01:00:00:00:00:00": "value does not look like a valid unicast MAC address" },
  },
  {
    format: network.addressFormat,
    good: ["nas.lan", "192.0.2.1"],
    bad: { "a/b": "value does not look like a valid address: a/b" },
  },
  {
    format: access.userIdFormat,
    good: ["a@pam", "Some.One@my-realm"],
    bad: {
      x: "user name 'x' is too short",
      noone: "value 'noone' does not look like a valid user name",
      [`${"u".repeat(61)}@pve`]: `user name '${"u".repeat(61)}@pve' is too long (65 > 64)`,
    },
  },
  {
    format: access.tokenIdFormat,
    good: ["root@pam!tf"],
    bad: { "root@pam": "value 'root@pam' does not look like a valid token ID" },
  },
  {
    format: access.privilegeListFormat,
    good: ["VM.Audit VM.Clone"],
    bad: { "VM.Monitor": "invalid privilege 'VM.Monitor'" },
  },
];

const complaint = (format: Format, value: string): string | undefined => {
  try {
    format.verify(value, "");
    return undefined;
  } catch (thrown) {
    return failureText(thrown);
  }
};

describe.each(rows.map((row) => [row.format.name, row] as const))("format %s", (_, { format, good, bad }) => {
  test.each(good.map((value) => [value]))("takes '%s'", (value) => {
    expect(complaint(format, value)).toBeUndefined();
  });

  test.each(Object.entries(bad))("refuses '%s'", (value, text) => {
    expect(complaint(format, value)).toBe(text.endsWith("\n") ? text : `${text}\n`);
  });
});

test("lists are split at commas, semicolons and blanks, or at NUL bytes alone", () => {
  expect(splitList(" a, b;c  d,")).toEqual(["a", "b", "c", "d"]);
  expect(splitList("a b\0c,d")).toEqual(["a b", "c,d"]);
});

test.each([
  [32 * 1024 ** 3, "32G"],
  [33280 * 1024 ** 2, "33280M"],
  [528 * 1024, "528K"],
  [1000, "1000"],
  [1024 ** 4, "1T"],
])("%d bytes are written as %s and read back", (bytes, text) => {
  expect(formatSize(bytes)).toBe(text);
  expect(parseSize(text)).toBe(bytes);
});
