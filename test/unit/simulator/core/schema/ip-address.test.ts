import { describe, expect, test } from "vitest";
import {
  formatIp,
  formatNetwork,
  isInNetwork,
  parseIp,
  parseNetwork,
} from "../../../../../src/simulator/core/schema/ip-address.ts";

describe("an address", () => {
  test.each([
    ["192.0.2.1", "192.0.2.1"],
    ["2001:DB8:0:0:1:0:0:1", "2001:db8::1:0:0:1"],
    ["0:0:0:0:0:0:0:0", "::"],
    ["::1", "::1"],
    ["fe80::", "fe80::"],
    ["::ffff:192.0.2.1", "::ffff:c000:201"],
    ["1:0:2:0:0:3:0:0", "1:0:2::3:0:0"],
  ])("%s is %s", (text, canonical) => {
    const address = parseIp(text);
    expect(address === undefined ? undefined : formatIp(address)).toBe(canonical);
  });

  test.each(["192.0.2.256", "192.0.2", "2001:db8", "host", ""])("%s is not an address", (text) => {
    expect(parseIp(text)).toBeUndefined();
  });
});

describe("a network", () => {
  test.each([
    ["192.0.2.77/24", "192.0.2.0/24"],
    ["192.0.2.77", "192.0.2.77/32"],
    ["255.255.255.255/0", "0.0.0.0/0"],
    ["2001:db8:ffff::1/33", "2001:db8:8000::/33"],
  ])("%s is %s without host bits", (text, expected) => {
    const network = parseNetwork(text);
    expect(network === undefined ? undefined : formatNetwork(network)).toBe(expected);
  });

  test.each<[string, string, boolean]>([
    ["192.0.2.0/24", "192.0.2.255", true],
    ["192.0.2.0/24", "192.0.3.0", false],
    ["192.0.2.0/24", "::c000:201", false],
    ["fd00::/64", "fd00::ffff", true],
  ])("%s contains %s: %s", (network, address, expected) => {
    expect(isInNetwork(parseNetwork(network), parseIp(address))).toBe(expected);
  });

  test.each(["192.0.2.0/33", "192.0.2.0/x", "fd00::/129", "nothing/8"])("%s is not a network", (text) => {
    expect(parseNetwork(text)).toBeUndefined();
  });
});
