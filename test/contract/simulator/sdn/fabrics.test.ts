import { describe, expect, test } from "vitest";
import { lab } from "../lab.ts";

const { ask, run } = lab();

const fabric = "/cluster/sdn/fabrics/fabric";
const members = "/cluster/sdn/fabrics/node";
const open = { protocol: "openfabric" };
const ospf = { protocol: "ospf" };

const addFabric = () => ask(`POST ${fabric}`, { id: "fab", ...open, ip_prefix: "10.0.0.0/24" });
const addNode = (node: string, form: Record<string, string> = {}) =>
  ask(`POST ${members}/fab`, { node_id: node, ...open, ...form });

describe("fabrics", () => {
  test.each<[string, Record<string, string>[], string]>([
    [
      "of OSPF have IPv4 only",
      [{ id: "o1", ...ospf, area: "0", ip_prefix: "10.0.0.0/24", ip6_prefix: "fd00::/64" }],
      "IPv6 is currently not supported for protocol ospf",
    ],
    [
      "of OSPF have an area",
      [{ id: "o1", ...ospf, area: "here", ip_prefix: "10.0.0.0/24" }],
      "error: Area is not a number, nor an ip address",
    ],
    [
      "of OSPF have one area each, in either notation",
      [
        { id: "o1", ...ospf, area: "1", ip_prefix: "10.0.0.0/24" },
        { id: "o2", ...ospf, area: "0.0.0.1", ip_prefix: "10.1.0.0/24" },
      ],
      "duplicate OSPF area",
    ],
    [
      "have IPv6 prefixes apart",
      [
        { id: "f1", ...open, ip6_prefix: "fd00::/48" },
        { id: "f2", ...open, ip6_prefix: "fd00:0:0:1::/64" },
      ],
      "IPv6 prefix fd00:0:0:1::/64 in fabric 'f2' overlaps with IPv6 prefix fd00::/48 in fabric 'f1'",
    ],
  ])("%s", async (_, forms, expected) => {
    const answers = [];
    for (const form of forms) {
      answers.push(await ask(`POST ${fabric}`, form));
    }
    expect(answers.at(-1)).toBe(`500 adding fabric failed: ${expected}`);
  });

  test("keep the file as it was when a change does not fit", async () => {
    await addFabric();
    const { digest } = (await ask(`GET ${fabric}/fab`)) as { digest: string };
    expect(await ask(`PUT ${fabric}/fab`, { ...ospf, area: "1" })).toContain("different protocol");
    expect(await ask(`PUT ${fabric}/fab`, { ...open, hello_interval: "5", digest: "0".repeat(64) })).toBe(
      "500 updating fabric failed: detected modified configuration - file changed by other user? Try again.",
    );
    expect(await ask(`GET ${fabric}/fab`)).toMatchObject({ digest });
    expect(await ask(`PUT ${fabric}/fab`, { ...open, hello_interval: "5", digest })).toBe("");
    expect(await ask(`PUT ${fabric}/fab`, { ...open, delete: "area" })).toContain(
      "delete[0]: value 'area' does not have a value in the enumeration 'ip_prefix, ip6_prefix, hello_interval",
    );
  });

  test("run when they are applied, and are rolled back", async () => {
    await addFabric();
    await addNode("pve1", { ip: "10.0.0.1", interfaces: "name=eno2" });
    expect(await run("PUT /cluster/sdn")).toBe("OK");
    expect(await ask(`GET ${fabric}?running=1`)).toEqual([
      { id: "fab", protocol: "openfabric", ip_prefix: "10.0.0.0/24" },
    ]);
    expect(await ask("GET /nodes/pve1/network", { type: "fabric" })).toEqual([
      { iface: "fab", type: "fabric", active: 1, cidr: "10.0.0.0/24" },
    ]);
    expect(await ask("GET /nodes/pve1/sdn/fabrics/fab/interfaces")).toMatchObject([{ name: "eno2" }]);
    expect(await ask("GET /cluster/resources")).toContainEqual({
      id: "network/pve1/fabric/fab",
      type: "network",
      "network-type": "fabric",
      network: "fab",
      node: "pve1",
      protocol: "openfabric",
      status: "not ok",
    });
    await ask(`DELETE ${fabric}/fab`);
    await ask("POST /cluster/sdn/rollback");
    expect(await ask(`GET ${members}/fab`)).toMatchObject([{ node_id: "pve1", interfaces: ["name=eno2"] }]);
  });
});

describe("nodes of a fabric", () => {
  test.each<[string, Record<string, string>, string]>([
    [
      "are inside its prefix",
      { ip: "10.9.0.1" },
      "500 adding node failed: node IP 10.9.0.1 is outside the IP prefix 10.0.0.0/24 of the fabric",
    ],
    [
      "have an address in it",
      {},
      "500 adding node failed: node 'fab_pve1' does not have an IP configured for this fabric prefix 10.0.0.0/24",
    ],
    [
      "have none that it has no prefix for",
      { ip: "10.0.0.1", ip6: "fd00::1" },
      "500 adding node failed: fabric 'fab' does not have an IP prefix configured for the node IP fd00::1",
    ],
    [
      "name their interfaces",
      { ip: "10.0.0.1", interfaces: "ip=10.0.0.1/24" },
      "400 Parameter verification failed. | interfaces[0]: invalid format - format error\ninterfaces[0].name: property is missing and it is not optional",
    ],
  ])("%s", async (_, form, expected) => {
    await addFabric();
    expect(await addNode("pve1", form)).toBe(expected);
  });

  test("need privileges on the node as well", async () => {
    await addFabric();
    expect(await ask(`POST ${members}/fab`, { node_id: "pve1", ...open, ip: "10.0.0.1" }, "auditor@pve!tk")).toBe(
      "403 Permission check failed (/sdn/fabrics/fab, SDN.Allocate)",
    );
  });
});
