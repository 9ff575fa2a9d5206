import { describe, expect, test } from "vitest";
import {
  addressListVersion,
  checkPorts,
  cleanCidr,
  ipOrCidrOrAliasFormat,
  shortCidr,
} from "../../../../src/simulator/firewall/formats.ts";

const outcome = (act: () => unknown): unknown => {
  try {
    return act();
  } catch (thrown) {
    return (thrown as Error).message.trimEnd();
  }
};

describe("addresses of a rule", () => {
  test.each<[string, unknown]>([
    ["192.0.2.1", 4],
    ["192.0.2.0/24,198.51.100.7", 4],
    ["192.0.2.1-192.0.2.9", 4],
    ["2001:db8::/32", 6],
    ["+blocked", undefined],
    ["dc/office", undefined],
    ["", undefined],
    ["192.0.2.1,2001:db8::1", "detected mixed ipv4/ipv6 addresses in address list '192.0.2.1,2001:db8::1'"],
    ["192.0.2.1,", "extraneous commas in list"],
    ["192.0.2.1-192.0.2.9,192.0.2.20", "you can't use a range in a list"],
    ["10/8", 4],
    ["2001:db8::-2001:db8::9", 6],
    ["192.0.2.0/33", "invalid IP address: Prefix length 33 is longer than IP address (32)"],
    ["192.0.2.7/24", "invalid IP address: Invalid prefix 11000000000000000000001000000111/24"],
    ["192.0.2", 4],
    ["192.0.2.", "invalid IP address: Invalid IP 192.0.2. - ends with a dot"],
    ["192..2.1", "invalid IP address: Empty quad in IP address 192..2.1"],
    ["192.0.2.1.5", "invalid IP address: Invalid IP address 192.0.2.1.5"],
    ["2001:db8:::1", "invalid IP address: Invalid address 2001:db8:::1 (More than one :: pattern)"],
    ["2001:db8:1", "invalid IP address: Invalid number of octets 2001:db8:1"],
    ["192.0.2.9-192.0.2.1", "invalid IP address: Begin address is greater than End address 192.0.2.9 - 192.0.2.1"],
    [`+${"x".repeat(65)}`, "ipset name too long"],
    ["x".repeat(65), "alias name too long"],
  ])("%s", (text, expected) => {
    expect(outcome(() => addressListVersion(text))).toBe(expected);
  });
});

describe("ports of a rule", () => {
  test.each<[string, boolean, unknown]>([
    ["22", false, undefined],
    ["", false, undefined],
    ["22,80:90,https", false, undefined],
    ["echo-request", true, undefined],
    ["echo-request", false, "invalid port 'echo-request'"],
    ["echo-request,22", true, "ICMP ports not allowed in port range"],
    ["65536", false, "invalid port '65536'"],
    ["9:1", false, "backwards range '9:1' not allowed, did you mean '1:9'?"],
    ["1,2,", false, "extraneous commas in list"],
    [
      Array.from({ length: 16 }, (_, index) => index + 1).join(","),
      false,
      "too many entries in port list (> 15 numbers)",
    ],
  ])("%s (ICMP: %s)", (text, allowIcmp, expected) => {
    expect(outcome(() => checkPorts(text, allowIcmp))).toBe(expected);
  });
});

describe("members of a set", () => {
  test.each([
    ["192.0.2.77/24", "192.0.2.0/24"],
    ["192.0.2.77/32", "192.0.2.77"],
    ["255.255.255.255/1", "128.0.0.0/1"],
    ["192.0.2.77", "192.0.2.77"],
    ["2001:db8::1/128", "2001:db8::1"],
    ["2001:DB8:0:0:1::7/64", "2001:db8::/64"],
    ["2001:DB8::1", "2001:DB8::1"],
  ])("%s is kept as %s", (text, expected) => {
    expect(shortCidr(cleanCidr(text))).toBe(expected);
  });

  test.each([
    ["office", true],
    ["guest/office", true],
    ["192.0.2.0/24", true],
    ["192.0.2.0/x", false],
    ["9office", false],
  ])("%s is one: %s", (text, expected) => {
    expect(outcome(() => ipOrCidrOrAliasFormat.verify(text)) === undefined).toBe(expected);
  });
});
