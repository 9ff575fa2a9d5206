import { expect, test } from "vitest";
import { icmpTypesOf } from "../../../../src/resources/firewall/icmp-types.ts";
import { icmpTypes, icmpV6Types } from "../../../../src/simulator/firewall/names.ts";

test("the provider and the simulator know the same types of ICMP packets", () => {
  expect(icmpTypesOf("icmp")).toEqual([...icmpTypes]);
  expect(icmpTypesOf("icmpv6")).toEqual([...icmpV6Types]);
  expect(icmpTypesOf("ipv6-icmp")).toEqual([...icmpV6Types]);
});
