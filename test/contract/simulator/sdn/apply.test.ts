import { describe, expect, test } from "vitest";
import { lab } from "../lab.ts";

const cluster = lab();
const { ask, run } = cluster;

async function makeZone(zone: Record<string, string | number> = {}) {
  await ask("POST /cluster/sdn/zones", { zone: "z1", type: "simple", ...zone });
  await ask("POST /cluster/sdn/vnets", { vnet: "v1", zone: "z1" });
}

describe("an applied configuration", () => {
  test("reaches each node in a task of its own, as root and one after the other", async () => {
    await makeZone();
    expect(await run("PUT /cluster/sdn")).toBe("OK");
    const tasks = (await ask("GET /cluster/tasks")) as { type: string; node: string; user: string }[];
    const reloads = tasks.filter(({ type }) => type === "srvreload");
    expect(reloads.map(({ node, user }) => `${node} ${user}`).sort()).toEqual(["pve1 root@pam", "pve2 root@pam"]);
    expect(await ask("GET /nodes/pve2/sdn/zones")).toEqual([{ zone: "z1", status: "available" }]);
  });

  test("is pending on a node whose reload failed, and in effect on the others", async () => {
    await makeZone();
    await run("PUT /cluster/sdn");
    cluster.simulator.faults.order({ do: "fail", task: "srvreload", node: "pve2", text: "ifreload failed" });
    await ask("PUT /cluster/sdn/vnets/v1", { alias: "new" });
    expect(await run("PUT /cluster/sdn")).toBe("OK");
    expect(await ask("GET /nodes/pve1/sdn/zones")).toEqual([{ zone: "z1", status: "available" }]);
    expect(await ask("GET /nodes/pve2/sdn/zones")).toEqual([{ zone: "z1", status: "pending" }]);
    expect(await ask("GET /nodes/pve2/sdn/zones/z1/content")).toEqual([
      { vnet: "v1", status: "pending", statusmsg: "local sdn network configuration is too old, please reload" },
    ]);
    const resources = (await ask("GET /cluster/resources")) as Record<string, unknown>[];
    expect(resources.find(({ id }) => id === "network/pve2/zone/z1")).toMatchObject({ status: "pending" });
    expect(await run("PUT /nodes/pve2/network")).toBe("OK");
    expect(await ask("GET /nodes/pve2/sdn/zones")).toEqual([{ zone: "z1", status: "available" }]);
  });

  test("is in error where the zone's bridge is missing", async () => {
    await makeZone({ type: "vlan", bridge: "vmbr9" });
    await ask("POST /cluster/sdn/vnets", { vnet: "v2", zone: "z1", tag: 7 });
    await run("PUT /cluster/sdn");
    expect(await ask("GET /nodes/pve1/sdn/zones")).toEqual([{ zone: "z1", status: "error" }]);
    expect(await ask("GET /nodes/pve1/sdn/zones/z1/content")).toEqual([
      { vnet: "v2", status: "error", statusmsg: "missing vmbr9" },
    ]);
  });

  test("is on the zone's own nodes only", async () => {
    await makeZone({ nodes: "pve2" });
    await run("PUT /cluster/sdn");
    expect(await ask("GET /nodes/pve1/sdn/zones")).toEqual([]);
    expect(await ask("GET /nodes/pve2/sdn/zones/z1/bridges")).toEqual([{ name: "v1", vlan_filtering: 0, ports: [] }]);
  });
});

describe("a dry run", () => {
  test("shows what an apply would write on a node", async () => {
    await makeZone();
    await ask("POST /cluster/sdn/vnets/v1/subnets", { subnet: "10.0.0.0/24", type: "subnet", gateway: "10.0.0.1" });
    const { "interfaces-diff": first } = (await ask("GET /cluster/sdn/dry-run?node=pve1")) as Record<string, string>;
    expect(first).toContain("+iface v1\n+\taddress 10.0.0.1/24\n+\tbridge_ports none\n");
    await run("PUT /cluster/sdn");
    expect(await ask("GET /cluster/sdn/dry-run?node=pve1")).toMatchObject({ "interfaces-diff": null });
    await ask("PUT /cluster/sdn/vnets/v1", { alias: "lab" });
    const { "interfaces-diff": second } = (await ask("GET /cluster/sdn/dry-run?node=pve1")) as Record<string, string>;
    expect(second).toContain("+\talias lab\n");
    expect(await ask("GET /cluster/sdn/vnets?running=1")).toMatchObject([{ vnet: "v1" }]);
  });
});

describe("a rollback", () => {
  test("takes back subnets and controllers as well, but no address servers", async () => {
    await makeZone();
    await run("PUT /cluster/sdn");
    await ask("POST /cluster/sdn/vnets/v1/subnets", { subnet: "10.0.0.0/24", type: "subnet" });
    await ask("POST /cluster/sdn/controllers", { controller: "evpn", type: "evpn", asn: 65000, peers: "192.0.2.11" });
    await ask("POST /cluster/sdn/ipams", { ipam: "other", type: "pve" });
    await ask("POST /cluster/sdn/rollback");
    expect(await ask("GET /cluster/sdn/vnets/v1/subnets")).toEqual([]);
    expect(await ask("GET /cluster/sdn/controllers")).toEqual([]);
    expect(await ask("GET /cluster/sdn/ipams")).toHaveLength(2);
  });
});
