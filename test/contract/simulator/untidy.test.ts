import { describe, expect, test } from "vitest";
import { endpoints } from "../../../src/simulator/endpoints.ts";
import { createSimulator, type SimulatorOptions } from "../../../src/simulator/simulator.ts";
import { unorderedPlaces } from "../../../src/simulator/unordered-places.ts";
import { labSeed } from "./lab.ts";

const seed = {
  ...labSeed,
  roles: { First: ["VM.Audit", "VM.Clone", "VM.Console"], Second: ["VM.Audit"] },
  backup_jobs: [
    { id: "weekly", schedule: "sat", vmid: "200,201,900", storage: "local" },
    { id: "daily", schedule: "21:00", all: 1, storage: "local" },
    { id: "hourly", schedule: "*:00", vmid: "200", storage: "share" },
  ],
};

/** The bodies of equal calls, one after the other. */
async function answers(path: string, options: SimulatorOptions, count = 20): Promise<string[]> {
  const cluster = createSimulator({ seed, deterministic: "x", ...options });
  const headers = { Authorization: `PVEAPIToken=${cluster.tokens["root@pam!admin"]}` };
  const bodies: string[] = [];
  for (let call = 0; call < count; call++) {
    const response = await cluster.fetch(new Request(`https://pve/api2/json${path}`, { headers }));
    bodies.push(await response.text());
  }
  await cluster.close();
  return bodies;
}

const dataOf = <T>(body: string) => (JSON.parse(body) as { data: T }).data;
const variants = (texts: readonly string[]) => new Set(texts).size;

describe("untidy answers", () => {
  test.each(["/storage", "/nodes/pve1/qemu/200/config", "/cluster/options"])("can be repeated: %s", async (path) => {
    const [once, again, other] = await Promise.all(["7", "7", "8"].map((untidySeed) => answers(path, { untidySeed })));
    expect(again).toEqual(once);
    expect(other).not.toEqual(once);
  });

  test("differ between two calls, and are the same again after a reset", async () => {
    const cluster = createSimulator({ seed, deterministic: "x", untidySeed: "7" });
    const headers = { Authorization: `PVEAPIToken=${cluster.tokens["root@pam!admin"]}` };
    const ask = async () => (await cluster.fetch(new Request("https://pve/api2/json/storage", { headers }))).text();
    const before = [await ask(), await ask()];
    cluster.reset();
    expect([await ask(), await ask()]).toEqual(before);
    expect(variants(before)).toBe(2);
    await cluster.close();
  });

  test.each([
    ["/storage", "storage"],
    ["/nodes/pve1/storage", "storage"],
    ["/nodes/pve1/qemu", "vmid"],
    ["/nodes/pve1/qemu/200/pending", "key"],
    ["/nodes/pve1/network", "iface"],
    ["/access/roles", "roleid"],
    ["/access/domains", "realm"],
    ["/cluster/resources", "id"],
  ])("have lists in any order: %s", async (path, key) => {
    const keys = (await answers(path, {})).map((body) =>
      dataOf<Record<string, unknown>[]>(body).map((one) => one[key]),
    );
    expect(variants(keys.map((list) => list.join()))).toBeGreaterThan(1);
    expect(variants(keys.map((list) => list.toSorted().join()))).toBe(1);
  });

  test.each([
    ["/cluster/backup", "id"],
    ["/cluster/backup", "vmid"],
    ["/access/users", "userid"],
    ["/nodes/pve1/services", "service"],
    ["/cluster/sdn/zones", "zone"],
  ])("keep the order of lists that are sorted or written in order: %s, %s", async (path, key) => {
    const keys = (await answers(path, {})).map((body) =>
      dataOf<Record<string, unknown>[]>(body).map((one) => one[key]),
    );
    expect(variants(keys.map((list) => list.join()))).toBe(1);
  });

  test("keep the order of paths in access control lists, and of a role's privileges", async () => {
    const paths = (await answers("/access/acl", {})).map((body) => dataOf<{ path: string }[]>(body).map((e) => e.path));
    expect(variants(paths.map((list) => list.join()))).toBe(1);
    const roles = (await answers("/access/roles", {})).map((body) => dataOf<{ roleid: string; privs: string }[]>(body));
    expect(variants(roles.map((list) => list.find(({ roleid }) => roleid === "First")?.privs ?? ""))).toBe(1);
  });

  test("have the contents of a storage in any order", async () => {
    const bodies = await answers("/storage/local", {});
    const contents = bodies.map((body) => dataOf<{ content: string }>(body).content.split(","));
    expect(variants(contents.map((list) => list.join()))).toBeGreaterThan(1);
    expect(variants(contents.map((list) => list.toSorted().join()))).toBe(1);
  });

  test("send numbers of a configuration as text now and then, and never those of statistics", async () => {
    const configs = await answers("/nodes/pve1/qemu/200/config", {});
    expect(new Set(configs.map((body) => dataOf<{ cores: unknown }>(body).cores))).toEqual(new Set([2, "2"]));
    const states = await answers("/nodes/pve1/qemu/200/status/current", {});
    expect(new Set(states.map((body) => typeof dataOf<{ maxmem: unknown }>(body).maxmem))).toEqual(new Set(["number"]));
  });

  test("do not change what the simulator stores", async () => {
    const cluster = createSimulator({ seed });
    const before = JSON.stringify(cluster.sim.world);
    const headers = { Authorization: `PVEAPIToken=${cluster.tokens["root@pam!admin"]}` };
    for (const path of ["/storage", "/access/roles", "/nodes/pve1/qemu/200/config", "/cluster/options"]) {
      await cluster.fetch(new Request(`https://pve/api2/json${path}`, { headers }));
    }
    expect(JSON.stringify(cluster.sim.world)).toBe(before);
    await cluster.close();
  });

  test("are listed by paths that exist", () => {
    const paths = new Set(endpoints.map(({ path }) => path));
    const places = [...unorderedPlaces.lists.keys(), ...unorderedPlaces.texts];
    expect(places.filter((place) => !paths.has(place.replace(/(?:\.\w+|\[\])+$/, "")))).toEqual([]);
  });
});

test.each(["/storage", "/access/roles", "/cluster/resources", "/nodes/pve1/qemu/200/config"])(
  "tidy answers are always the same: %s",
  async (path) => {
    expect(variants(await answers(path, { tidy: true }))).toBe(1);
  },
);
