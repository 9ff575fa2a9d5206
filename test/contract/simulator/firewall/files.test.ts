import { describe, expect, test } from "vitest";
import { lab } from "../lab.ts";

const cluster = lab();
const { ask, run } = cluster;

const at = "/cluster/firewall";
const allow = { type: "in", action: "ACCEPT" };
const names = async (path: string, member: string) =>
  ((await ask(`GET ${path}`)) as Record<string, unknown>[]).map((entry) => entry[member]);

describe("a file is what can be read back of it", () => {
  test("groups that differ in case become one, and the last one wins", async () => {
    await ask(`POST ${at}/groups`, { group: "web", comment: "first" });
    await ask(`POST ${at}/groups/web`, { ...allow, macro: "HTTP" });
    expect(await ask(`POST ${at}/groups`, { group: "WEB" })).toBeNull();
    expect(await names(`${at}/groups`, "group")).toEqual(["web"]);
    expect(await ask(`GET ${at}/groups/web`)).toMatchObject([{ macro: "HTTP" }]);
  });

  test("a comment loses the blanks around it, and its second line becomes an entry of its own", async () => {
    await ask(`POST ${at}/aliases`, { name: "one", cidr: "192.0.2.1", comment: "  a note\ntwo 192.0.2.2 # more" });
    expect(await ask(`GET ${at}/aliases`)).toMatchObject([
      { name: "one", comment: "a note" },
      { name: "two", cidr: "192.0.2.2", comment: "more" },
    ]);
    await ask(`POST ${at}/rules`, { ...allow, comment: "first\nnonsense" });
    expect(await ask(`GET ${at}/rules`)).toMatchObject([{ comment: "first" }]);
  });

  test("a group's rule keeps its interface only", async () => {
    await ask(`POST ${at}/rules`, { type: "group", action: "web", iface: "vmbr0", source: "192.0.2.1", log: "info" });
    const [rule] = (await ask(`GET ${at}/rules`)) as object[];
    expect(rule).toMatchObject({ type: "group", action: "web", iface: "vmbr0" });
    expect(Object.keys(rule ?? {})).not.toEqual(expect.arrayContaining(["source"]));
  });

  test("a file without content is gone", async () => {
    await ask(`POST ${at}/rules`, allow);
    await ask(`DELETE ${at}/rules/0`);
    expect(cluster.simulator.sim.world.firewall["cluster"]).toBeUndefined();
  });
});

describe("a rule whose reference is gone", () => {
  test("is shown with what is wrong, and refused when it is changed", async () => {
    await ask(`POST ${at}/aliases`, { name: "office", cidr: "192.0.2.0/24" });
    await ask(`POST ${at}/rules`, { ...allow, source: "office" });
    await ask(`DELETE ${at}/aliases/office`);
    expect(await ask(`GET ${at}/rules`)).toMatchObject([
      { source: "office", errors: { source: "no such alias 'office'" } },
    ]);
    expect(await ask(`PUT ${at}/rules/0`, { enable: 1 })).toBe(
      "400 Parameter verification failed. | source: no such alias 'office'",
    );
    expect(await ask(`PUT ${at}/rules/0`, { source: "192.0.2.7" })).toBeNull();
  });

  test("is named for an entry of a set as well", async () => {
    await ask(`POST ${at}/aliases`, { name: "office", cidr: "192.0.2.0/24" });
    await ask(`POST ${at}/ipset`, { name: "trusted" });
    await ask(`POST ${at}/ipset/trusted`, { cidr: "dc/office" });
    await ask(`DELETE ${at}/aliases/office`);
    expect(await ask(`GET ${at}/ipset/trusted`)).toMatchObject([
      { cidr: "dc/office", errors: { cidr: "no such alias 'office'" } },
    ]);
  });

  test("vanishes once its alias is of the other IP version", async () => {
    await ask(`POST ${at}/aliases`, { name: "office", cidr: "192.0.2.0/24" });
    await ask(`POST ${at}/rules`, { ...allow, source: "192.0.2.9", dest: "office" });
    await ask(`PUT ${at}/aliases/office`, { cidr: "2001:db8::/64" });
    expect(await ask(`GET ${at}/rules`)).toEqual([]);
  });
});

describe("a macro", () => {
  test.each<[string, Record<string, string>, string | null]>([
    ["agrees with the same ports", { macro: "SSH", proto: "tcp", dport: "22" }, null],
    [
      "contradicts another protocol",
      { macro: "SSH", proto: "udp" },
      "400 Parameter verification failed. | proto: parameter 'proto' already define in macro (value = 'tcp')",
    ],
    [
      "of several rules contradicts the ports of one of them",
      { macro: "Web", proto: "tcp", dport: "80" },
      "400 Parameter verification failed. | dport: parameter 'dport' already define in macro (value = '443')",
    ],
    ["is another one for IPv6", { macro: "Ping", source: "2001:db8::/32", proto: "icmpv6" }, null],
    ["for IPv6 is not looked at for IPv4", { macro: "DHCPv6", source: "192.0.2.1", proto: "tcp" }, null],
  ])("%s", async (_, form, expected) => {
    expect(await ask(`POST ${at}/rules`, { ...allow, ...form })).toBe(expected);
  });
});

describe("a renamed group", () => {
  test("is followed by rules of nodes and guests, not by those of vnets", async () => {
    await ask("POST /cluster/sdn/zones", { zone: "z1", type: "simple" });
    await ask("POST /cluster/sdn/vnets", { vnet: "v1", zone: "z1" });
    await run("PUT /cluster/sdn");
    await ask(`POST ${at}/groups`, { group: "web" });
    const places = [at, "/nodes/pve2/firewall", "/nodes/pve1/qemu/200/firewall", "/cluster/sdn/vnets/v1/firewall"];
    for (const place of places) {
      expect(await ask(`POST ${place}/rules`, { type: "group", action: "web" })).toBeNull();
    }
    await ask(`POST ${at}/groups`, { group: "www", rename: "web" });
    const actions = [];
    for (const place of places) {
      actions.push(...(await names(`${place}/rules`, "action")));
    }
    expect(actions).toEqual(["www", "www", "www", "web"]);
  });
});

describe("sets of the SDN", () => {
  test("can be named by rules of those who see the vnet", async () => {
    await ask("POST /cluster/sdn/zones", { zone: "z1", type: "simple" });
    await ask("POST /cluster/sdn/vnets", { vnet: "v1", zone: "z1" });
    expect(await ask(`POST ${at}/rules`, { ...allow, source: "+sdn/v1-all" })).toContain("no such ipset 'v1-all'");
    await run("PUT /cluster/sdn");
    expect(await ask(`POST ${at}/rules`, { ...allow, source: "+sdn/v1-all" })).toBeNull();
    expect(await names(`${at}/refs`, "ref")).toEqual(["+v1-all", "+v1-gateway", "+v1-no-gateway", "+v1-dhcp"]);
    const vm = "/nodes/pve1/qemu/200/firewall";
    expect(await ask(`POST ${vm}/rules`, { ...allow, source: "+sdn/v1-all" }, "owner@pve!tk")).toContain(
      "no such ipset 'v1-all'",
    );
  });
});

describe("the cluster's switch", () => {
  test("is off a minute after it was turned on for a trial", async () => {
    await ask(`PUT ${at}/options`, { enable: 2 });
    expect((await ask(`GET ${at}/options`)) as { enable: number }).toHaveProperty("enable", expect.any(Number));
    const file = cluster.simulator.sim.world.firewall["cluster"];
    Object.assign(file?.options ?? {}, { enable: "1700000000" });
    expect(await ask(`GET ${at}/options`)).toMatchObject({ enable: 0 });
  });
});
