import { describe, expect, test } from "vitest";
import { readFault } from "../../../../src/simulator/faults/order.ts";
import { lab } from "../lab.ts";

const cluster = lab();
const { ask } = cluster;

type Entry = Record<string, unknown>;
const resources = async (query: Record<string, string> = {}, token?: string) =>
  (await ask("GET /cluster/resources", query, token)) as Entry[];
const guest = async (vmid: number) => (await resources({ type: "vm" })).find((entry) => entry["vmid"] === vmid);

describe("/cluster/resources", () => {
  test("names every thing of the cluster by its own id", async () => {
    expect((await resources()).map(({ id }) => id).sort()).toEqual(
      [
        "network/pve1/zone/localnetwork",
        "network/pve2/zone/localnetwork",
        "node/pve1",
        "node/pve2",
        "qemu/200",
        "qemu/201",
        "qemu/900",
        ...["ceph", "local", "share", "tank", "thick", "thin"].flatMap((id) => [
          `storage/pve1/${id}`,
          `storage/pve2/${id}`,
        ]),
      ].sort(),
    );
  });

  test.each([
    ["vm", ["qemu"]],
    ["node", ["node"]],
    ["storage", ["storage"]],
    ["sdn", []],
  ])("of type %s has these only", async (type, expected) => {
    expect([...new Set((await resources({ type })).map((entry) => entry["type"]))]).toEqual(expected);
  });

  test("has no filter for pools", async () => {
    expect(await ask("GET /cluster/resources", { type: "pool" })).toBe(
      "400 Parameter verification failed. | type: value 'pool' does not have a value in the enumeration 'vm, storage, node, sdn'",
    );
  });

  test("shows a template, a stopped and a running VM", async () => {
    expect(await guest(900)).toMatchObject({ name: "golden", template: 1, status: "stopped", maxdisk: 0 });
    expect(await guest(200)).toMatchObject({ status: "stopped", maxcpu: 2, maxmem: 2 ** 30, uptime: 0, node: "pve1" });
    expect(await guest(201)).toMatchObject({ status: "running", tags: "blue", node: "pve2" });
  });

  test("lags behind with names, but not with tags, locks and existence", async () => {
    const { world, statistics } = cluster.simulator.sim;
    const web = world.guests[200];
    Object.assign(web?.config ?? {}, { name: "renamed", tags: "red", lock: "backup" });
    world.guests[202] = { ...structuredClone(web as NonNullable<typeof web>), vmid: 202 };
    delete world.guests[900];
    expect(await guest(200)).toMatchObject({ name: "web", tags: "red", lock: "backup" });
    expect(await guest(202)).toEqual({
      id: "qemu/202",
      type: "qemu",
      vmid: 202,
      node: "pve1",
      status: "unknown",
      tags: "red",
      lock: "backup",
    });
    expect(await guest(900)).toBeUndefined();
    statistics.refresh();
    expect(await guest(200)).toMatchObject({ name: "renamed" });
    expect(await guest(202)).toMatchObject({ name: "renamed", status: "stopped" });
  });

  test("forgets after 300 s what a node said whose pvestatd hangs", async () => {
    const { world, statistics } = cluster.simulator.sim;
    const order = (fault: object) => cluster.simulator.faults.order(readFault(fault, "fault"));
    order({ do: "stale_statistics", node: "pve2", age: 0 });
    Object.assign(world.guests[201]?.config ?? {}, { name: "renamed" });
    statistics.refresh();
    const old = await resources();
    expect(old).toContainEqual(expect.objectContaining({ id: "node/pve2", status: "online", maxcpu: 16 }));
    expect((await guest(201))?.["name"]).not.toBe("renamed");
    order({ do: "stale_statistics", node: "pve2" });
    statistics.refresh();
    expect(await guest(201)).toEqual({
      ...{ id: "qemu/201", type: "qemu", vmid: 201, node: "pve2", status: "unknown", tags: "blue" },
    });
    const entries = await resources();
    const unknown = { id: "node/pve2", type: "node", node: "pve2", status: "unknown" };
    expect(entries).toContainEqual({ ...unknown, "cgroup-mode": 2 });
    const storage = entries.find(({ id }) => id === "storage/pve2/thin");
    expect(storage).toMatchObject({ status: "unknown", content: "images,rootdir" });
    expect(storage).not.toHaveProperty("maxdisk");
    expect(await ask("GET /nodes")).toContainEqual({ ...unknown, ssl_fingerprint: expect.any(String) });
    expect(await ask("GET /cluster/status")).toContainEqual(expect.objectContaining({ name: "pve2", online: 1 }));
    expect(await ask("GET /nodes/pve2/qemu")).toContainEqual(
      expect.objectContaining({ vmid: 201, name: "renamed", status: "running" }),
    );
  });

  test("hears of that node again when pvestatd goes on", async () => {
    const { statistics, clock } = cluster.simulator.sim;
    cluster.simulator.faults.order({ do: "stale_statistics", node: "pve2", seconds: 100 });
    expect(await guest(201)).toMatchObject({ status: "unknown" });
    await clock.sleep(101);
    statistics.refresh();
    expect(await guest(201)).toMatchObject({ status: "running" });
  });

  test("shows each caller its own part, without a word about the rest", async () => {
    const bare = { level: "", status: "online", type: "node", "cgroup-mode": 2 };
    expect(await resources({}, "nobody@pve!tk")).toEqual([
      { id: "node/pve1", node: "pve1", ...bare },
      { id: "node/pve2", node: "pve2", ...bare },
    ]);
    const ids = (await resources({}, "owner@pve!tk")).map(({ id }) => id);
    expect(ids).toEqual(["qemu/200", "node/pve1", "node/pve2", "storage/pve1/thin", "storage/pve2/thin"]);
  });

  test("shows a storage where it can be used", async () => {
    await ask("PUT /storage/thin", { nodes: "pve2" });
    await ask("PUT /storage/tank", { disable: 1 });
    const ids = (await resources({ type: "storage" })).map(({ id }) => id);
    expect(ids).not.toContain("storage/pve1/thin");
    expect(ids).toContain("storage/pve2/thin");
    expect(ids).not.toContain("storage/pve1/tank");
  });

  test("sums up pools over their running members", async () => {
    await ask("POST /pools", { poolid: "all" });
    await ask("PUT /pools", { poolid: "all", vms: "200,201" });
    const { world, statistics } = cluster.simulator.sim;
    Object.assign(world.guests[201]?.run ?? {}, { since: 0 });
    statistics.refresh();
    expect(await resources()).toContainEqual(
      expect.objectContaining({ id: "/pool/all", type: "pool", pool: "all", maxcpu: 1, maxmem: 512 * 2 ** 20 }),
    );
  });
});

describe("/cluster/status", () => {
  test("lists the cluster and its nodes", async () => {
    expect(await ask("GET /cluster/status")).toMatchObject([
      { type: "cluster", name: "lab", nodes: 2, quorate: 1 },
      { type: "node", name: "pve1", local: 1, online: 1, nodeid: 1 },
      { type: "node", name: "pve2", local: 0, online: 1, nodeid: 2 },
    ]);
  });

  test("needs Sys.Audit", async () => {
    expect(await ask("GET /cluster/status", undefined, "owner@pve!tk")).toBe(
      "403 Permission check failed (/, Sys.Audit)",
    );
  });
});

describe("/cluster/nextid", () => {
  test.each<[string, Record<string, number>, unknown]>([
    ["gives the lowest free number as text", {}, "100"],
    ["says yes to one that is free", { vmid: 250 }, "250"],
    ["says no to one that is taken", { vmid: 201 }, "400 Parameter verification failed. | vmid: VM 201 already exists"],
    [
      "knows what a number is",
      { vmid: 99 },
      "400 Parameter verification failed. | vmid: invalid format - value does not look like a valid VM ID",
    ],
  ])("%s", async (_, query, expected) => {
    expect(await ask("GET /cluster/nextid", query)).toEqual(expected);
  });

  test("keeps to the range that is configured", async () => {
    await ask("PUT /cluster/options", { "next-id": "lower=200,upper=202" });
    expect(await ask("GET /cluster/nextid")).toBe("500 unable to get any free VMID in range [200, 202]");
    await ask("PUT /cluster/options", { "next-id": "lower=200,upper=203" });
    expect(await ask("GET /cluster/nextid")).toBe("202");
  });

  test("sees guests that the caller does not", async () => {
    expect(await ask("GET /cluster/nextid", { vmid: 200 }, "nobody@pve!tk")).toContain("VM 200 already exists");
  });
});

describe("/cluster/options", () => {
  test("has a MAC prefix and no description to begin with", async () => {
    expect(await ask("GET /cluster/options")).toEqual({
      mac_prefix: "BC:24:11",
      description: "",
      "allowed-tags": ["blue"],
    });
  });

  test("shows property strings as objects", async () => {
    await ask("PUT /cluster/options", {
      "tag-style": "ordering=config,case-sensitive=1",
      "registered-tags": "zz;aa",
      "user-tag-access": "user-allow=list,user-allow-list=b;a",
      migration: "insecure,network=192.0.2.0/24",
      mac_prefix: "02:00:00",
      description: "our lab",
    });
    expect(await ask("GET /cluster/options")).toEqual({
      "tag-style": { ordering: "config", "case-sensitive": 1 },
      "registered-tags": ["zz", "aa"],
      "user-tag-access": { "user-allow": "list", "user-allow-list": ["b", "a"] },
      migration: { type: "insecure", network: "192.0.2.0/24" },
      mac_prefix: "02:00:00",
      description: "our lab\n",
      "allowed-tags": ["a", "aa", "b", "blue", "zz"],
    });
    await ask("PUT /cluster/options", {
      delete: "tag-style,migration,mac_prefix,registered-tags,user-tag-access,description",
    });
    expect(await ask("GET /cluster/options")).toEqual({
      mac_prefix: "BC:24:11",
      description: "",
      "allowed-tags": ["blue"],
    });
  });

  test("has flags as numbers and everything else as text inside an option", async () => {
    await ask("PUT /cluster/options", {
      crs: "ha=dynamic,ha-auto-rebalance=1,ha-auto-rebalance-threshold=0.4",
      "tag-style": "case-sensitive=0,shape=circle",
      "next-id": "lower=200",
    });
    expect(await ask("GET /cluster/options")).toMatchObject({
      crs: { ha: "dynamic", "ha-auto-rebalance": 1, "ha-auto-rebalance-threshold": "0.4" },
      "tag-style": { "case-sensitive": 0, shape: "circle" },
      "next-id": { lower: "200" },
    });
  });

  test.each<[Record<string, string>, string]>([
    [
      { mac_prefix: "01:00" },
      "400 Parameter verification failed. | mac_prefix: invalid format - value is not a valid unicast MAC address prefix",
    ],
    [{ "next-id": "lower=300,upper=200" }, "500 lower (300) <= upper (200) boundary rule broken"],
    [
      { keyboard: "xx" },
      "400 Parameter verification failed. | keyboard: value 'xx' does not have a value in the enumeration",
    ],
    [{ "tag-style": "shape=star" }, "400 Parameter verification failed. | tag-style: invalid format - format error"],
  ])("refuses %j", async (form, expected) => {
    expect(await ask("PUT /cluster/options", form)).toEqual(expect.stringContaining(expected));
  });

  test("shows little to those without Sys.Audit, and lets them change nothing", async () => {
    await ask("PUT /cluster/options", { console: "applet", keyboard: "de" });
    expect(await ask("GET /cluster/options", undefined, "nobody@pve!tk")).toEqual({
      console: "html5",
      "allowed-tags": [],
    });
    expect(await ask("PUT /cluster/options", { keyboard: "de" }, "auditor@pve!tk")).toBe(
      "403 Permission check failed (/, Sys.Modify)",
    );
  });
});

describe("/cluster/backup", () => {
  const job = { schedule: "sun 01:00", storage: "local", vmid: "200,201", mode: "snapshot" };

  test("keeps jobs", async () => {
    expect(await ask("POST /cluster/backup", { id: "nightly", ...job })).toBeNull();
    expect(await ask("GET /cluster/backup/nightly")).toEqual({ id: "nightly", type: "vzdump", enabled: 1, ...job });
    await ask("PUT /cluster/backup/nightly", { all: 1, delete: "mode" });
    expect(await ask("GET /cluster/backup")).toEqual([
      {
        id: "nightly",
        type: "vzdump",
        "next-run": expect.any(Number),
        enabled: 1,
        schedule: "sun 01:00",
        storage: "local",
        all: 1,
      },
    ]);
    expect(await ask("DELETE /cluster/backup/nightly")).toBeNull();
    expect(await ask("GET /cluster/backup")).toEqual([]);
  });

  test.each<[string, Record<string, string | number>, string]>([
    [
      "a time",
      { vmid: "200" },
      "400 Parameter verification failed. | schedule: neither 'starttime' nor 'schedule' were set",
    ],
    [
      "one time",
      { ...job, starttime: "01:00" },
      "400 Parameter verification failed. | starttime: 'starttime' and 'schedule' cannot both be set",
    ],
    ["guests", { schedule: "01:00" }, "500 400 Parameter verification failed.\nvmid: property is missing"],
    [
      "guests named in one way",
      { ...job, all: 1 },
      "500 400 Parameter verification failed.\nall: option conflicts with option 'vmid'",
    ],
    [
      "a pool that exists",
      { schedule: "01:00", pool: "none" },
      "403 Permission check failed (pool 'none' does not exist)",
    ],
    [
      "nothing that only root may set",
      { ...job, script: "/x" },
      "400 Parameter verification failed. | script: Only root may set this option.",
    ],
  ])("of which each needs %s", async (_, form, expected) => {
    expect(await ask("POST /cluster/backup", form)).toBe(expected);
  });

  test("writes days and hours the newer way", async () => {
    await ask("POST /cluster/backup", { id: "j1", starttime: "2:30", dow: "sat;sun", all: 1 });
    expect(await ask("GET /cluster/backup/j1")).toMatchObject({ schedule: "sat,sun 2:30" });
    expect(await ask("GET /cluster/backup/none")).toBe("400 Parameter verification failed. | id: No such job 'none'");
  });
});
