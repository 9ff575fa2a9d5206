import { describe, expect, test } from "vitest";
import { lab } from "../lab.ts";

const { ask, run } = lab();

describe("zones and vnets", () => {
  test("run when they are applied", async () => {
    expect(await ask("POST /cluster/sdn/zones", { zone: "z1", type: "simple", ipam: "pve" })).toBeNull();
    expect(await ask("POST /cluster/sdn/vnets", { vnet: "v1", zone: "z1", alias: "lab" })).toBeNull();
    expect(await ask("GET /cluster/sdn/zones", { pending: 1 })).toEqual([
      { zone: "z1", type: "simple", pending: { ipam: "pve" }, state: "new", digest: null },
    ]);
    expect(await ask("GET /cluster/sdn/vnets", { running: 1 })).toEqual([]);
    expect(await ask("GET /nodes/pve1/network", { type: "vnet" })).toEqual([]);
    expect(await run("PUT /cluster/sdn")).toBe("OK");
    expect(await ask("GET /cluster/sdn/vnets", { running: 1 })).toMatchObject([
      { vnet: "v1", zone: "z1", type: "vnet" },
    ]);
    expect(await ask("GET /nodes/pve1/network", { type: "any_bridge" })).toContainEqual(
      expect.objectContaining({ iface: "v1", type: "vnet", ipam: 1, comments: "lab" }),
    );
    expect(await ask("GET /cluster/resources")).toContainEqual({
      id: "network/pve1/zone/z1",
      type: "network",
      "network-type": "zone",
      "zone-type": "simple",
      network: "z1",
      node: "pve1",
      status: "available",
    });
  });

  test("show what a change would do, and take it back", async () => {
    await ask("POST /cluster/sdn/zones", { zone: "z1", type: "vlan", bridge: "vmbr0", mtu: 1500 });
    await run("PUT /cluster/sdn");
    await ask("PUT /cluster/sdn/zones/z1", { bridge: "vmbr1", delete: "mtu" });
    expect(await ask("GET /cluster/sdn/zones/z1", { pending: 1 })).toMatchObject({
      bridge: "vmbr0",
      mtu: 1500,
      state: "changed",
      pending: { bridge: "vmbr1", mtu: "deleted" },
    });
    await ask("POST /cluster/sdn/rollback");
    expect(await ask("GET /cluster/sdn/zones/z1")).toMatchObject({ bridge: "vmbr0", mtu: 1500 });
    await ask("DELETE /cluster/sdn/zones/z1");
    expect(await ask("GET /cluster/sdn/zones/z1", { pending: 1 })).toMatchObject({ state: "deleted" });
  });

  test.each<[string, Record<string, string | number>[], string]>([
    [
      "a zone needs its type's options",
      [{ zone: "z1", type: "vlan" }],
      "500 missing value for required option 'bridge'",
    ],
    ["a zone takes no other's", [{ zone: "z1", type: "simple", bridge: "vmbr0" }], "500 unexpected property 'bridge'"],
    [
      "a zone has a short name",
      [{ zone: "zone-one-is-long", type: "simple" }],
      "400 Parameter verification failed. | zone: value does not match the regex pattern",
    ],
    [
      "a zone is had once",
      [
        { zone: "z1", type: "simple" },
        { zone: "z1", type: "simple" },
      ],
      "500 create sdn zone object failed: sdn zone object ID 'z1' already defined",
    ],
    [
      "a zone knows its servers",
      [{ zone: "z1", type: "simple", dns: "none" }],
      "500 create sdn zone object failed: 400 Parameter verification failed.\ndns: none don't exist",
    ],
    [
      "a vnet needs its zone",
      [{ vnet: "v1", zone: "z9" }],
      "500 create sdn vnet object failed: cannot lookup undefined type! at /usr/share/perl5/PVE/API2/Network/SDN/Vnets.pm line 326.",
    ],
    [
      "a simple zone has no tags",
      [
        { zone: "z1", type: "simple" },
        { vnet: "v1", zone: "z1", tag: 5 },
      ],
      "500 create sdn vnet object failed: 400 Parameter verification failed.\ntag: vlan tag is not allowed on simple zone",
    ],
    [
      "a VLAN zone needs tags",
      [
        { zone: "z1", type: "vlan", bridge: "vmbr0" },
        { vnet: "v1", zone: "z1" },
      ],
      "500 create sdn vnet object failed: 400 Parameter verification failed.\ntag: missing vlan tag",
    ],
    [
      "a tag is used once",
      [
        { zone: "z1", type: "vlan", bridge: "vmbr0" },
        { vnet: "v1", zone: "z1", tag: 5 },
        { vnet: "v2", zone: "z1", tag: 5 },
      ],
      "500 create sdn vnet object failed: 400 Parameter verification failed.\ntag: tag 5 already exist in vnet v1",
    ],
  ])("%s", async (_, forms, expected) => {
    const answers = [];
    for (const form of forms) {
      answers.push(await ask(`POST /cluster/sdn/${"vnet" in form ? "vnets" : "zones"}`, form));
    }
    expect(answers.at(-1)).toBe(expected);
  });

  test("have their nodes in order, and digests that guard changes", async () => {
    await ask("POST /cluster/sdn/zones", { zone: "z1", type: "simple", nodes: "pve2,pve1,pve2" });
    const zone = (await ask("GET /cluster/sdn/zones/z1")) as { nodes: string; digest: string };
    expect(zone.nodes).toBe("pve1,pve2");
    const stale = { mtu: 1400, digest: "0".repeat(40) };
    expect(await ask("PUT /cluster/sdn/zones/z1", stale)).toContain("detected modified configuration");
    expect(await ask("PUT /cluster/sdn/zones/z1", { mtu: 1400, digest: zone.digest })).toBeNull();
    await ask("POST /cluster/sdn/vnets", { vnet: "v1", zone: "z1" });
    expect(await ask("PUT /cluster/sdn/vnets/v1/subnets/z1-10.0.0.0-24", { digest: "0" })).toBe(
      "500 update sdn subnet object failed: sdn subnet 'z1-10.0.0.0-24' does not exist",
    );
  });

  test("hold on to each other", async () => {
    await ask("POST /cluster/sdn/zones", { zone: "z1", type: "simple" });
    await ask("POST /cluster/sdn/vnets", { vnet: "v1", zone: "z1" });
    expect(await ask("DELETE /cluster/sdn/zones/z1")).toContain("zone z1 is used by vnet v1");
    expect(await ask("DELETE /cluster/sdn/vnets/v1")).toBeNull();
    expect(await ask("DELETE /cluster/sdn/zones/z1")).toBeNull();
    expect(await ask("GET /cluster/sdn/vnets/v1")).toBe("500 sdn vnet 'v1' does not exist");
  });

  test("are locked for other clients while one holds the token", async () => {
    const token = String(await ask("POST /cluster/sdn/lock"));
    expect(await ask("POST /cluster/sdn/zones", { zone: "z1", type: "simple" })).toContain(
      "invalid lock token provided!",
    );
    expect(await ask("POST /cluster/sdn/zones", { zone: "z1", type: "simple", "lock-token": token })).toBeNull();
    expect(await run("PUT /cluster/sdn", { "lock-token": token, "release-lock": 1 })).toBe("OK");
    expect(await ask("POST /cluster/sdn/zones", { zone: "z2", type: "simple" })).toBeNull();
    expect(await ask("POST /cluster/sdn/lock")).toContain("configuration has pending changes");
  });

  test("are seen by those with rights on them", async () => {
    await ask("POST /cluster/sdn/zones", { zone: "z1", type: "simple" });
    expect(await ask("GET /cluster/sdn/zones", undefined, "auditor@pve!tk")).toHaveLength(1);
    expect(await ask("GET /cluster/sdn/zones", undefined, "nobody@pve!tk")).toEqual([]);
    expect(await ask("POST /cluster/sdn/zones", { zone: "z2", type: "simple" }, "auditor@pve!tk")).toBe(
      "403 Permission check failed (/sdn/zones, SDN.Allocate)",
    );
  });
});
