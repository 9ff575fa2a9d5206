import { expect, test } from "vitest";
import { services } from "../../../../src/resources/firewall/services.ts";
import { services as ofSimulator } from "../../../../src/simulator/firewall/names.ts";

test("the provider and the simulator know the same names of services", () => {
  expect([...services].sort()).toEqual([...ofSimulator].sort());
  for (const name of ["ssh", "http", "netbios-dgm", "ms-wbt-server", "sip-tls", "x11-7"])
    expect(services).toContain(name);
  expect([...services].filter((name) => name.endsWith("-"))).toEqual([]);
});
