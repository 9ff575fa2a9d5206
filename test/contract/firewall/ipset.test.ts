import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { type ManagedResource, unknown } from "../../harness/index.ts";
import { attribute } from "../resource-bench.ts";
import { FirewallBench } from "./firewall-bench.ts";

let bench: FirewallBench;
let sets: ManagedResource;

beforeAll(async () => {
  bench = await FirewallBench.start();
  sets = bench.resource("proxmox_firewall_ipset");
});
afterEach(async () => {
  bench.simulator.faults.clear();
  for (const key of Object.keys(bench.files)) delete bench.files[key];
  await bench.configure();
  sets = bench.resource("proxmox_firewall_ipset");
});
afterAll(() => bench.close());

const entriesIn = (key: string, name: string) =>
  Object.fromEntries((bench.files[key]?.sets[name]?.entries ?? []).map(({ cidr, ...more }) => [cidr, more]));

describe.each([
  ["the cluster", "cluster", {}, "admins", "+dc/admins"],
  ["a guest", "guest/102", { vmid: 102 }, "guest/102/admins", "+guest/admins"],
])("a set of %s", (_, key, scope, id, reference) => {
  test("is created, changed in place, renamed, imported and destroyed", async () => {
    const base = { ...scope, name: "admins" };
    let now = await sets.create({ ...base, entries: { "10.0.0.5/24": {}, "192.0.2.1/32": { comment: "desk" } } });
    expect(attribute(now, "id")).toBe(id);
    expect(attribute(now, "reference")).toBe(reference);
    expect(entriesIn(key, "admins")).toEqual({ "10.0.0.0/24": {}, "192.0.2.1": { comment: "desk" } });
    const more = { ...base, comment: "who may", entries: { "10.0.0.0/24": { nomatch: true }, "fd00::/64": {} } };
    now = await sets.update(now, more);
    expect(entriesIn(key, "admins")).toEqual({ "10.0.0.0/24": { nomatch: 1 }, "fd00::/64": {} });
    const imported = await sets.import({ id });
    await sets.expectSettled(imported, more);
    const plan = await sets.plan(now, { ...more, name: "staff" });
    expect(plan.action).toBe("update");
    now = await sets.update(now, { ...more, name: "staff" });
    expect(Object.keys(bench.files[key]?.sets ?? {})).toEqual(["staff"]);
    now = await sets.update(now, { ...base, name: "staff" });
    expect(bench.files[key]?.sets["staff"]).toEqual({ entries: [] });
    await sets.destroy(now);
    expect(bench.files[key]).toBeUndefined();
    expect(await sets.find(now)).toBeNull();
  });
});

test("of 5,000 entries takes one call for each of 10 that change, and the second plan is empty", async () => {
  const entries = Object.fromEntries(
    Array.from({ length: 5000 }, (_, index) => [`10.${index >> 8}.${index & 255}.0/24`, {}]),
  );
  bench.file("cluster").sets["big"] = { entries: Object.keys(entries).map((cidr) => ({ cidr })) };
  const now = await sets.import({ id: "big" });
  const { "10.0.0.0/24": _a, "10.0.1.0/24": _b, "10.0.2.0/24": _c, "10.0.3.0/24": _d, ...rest } = entries;
  const changed = {
    ...rest,
    "10.0.9.0/24": { comment: "changed" },
    "10.0.10.0/24": { nomatch: true },
    ...Object.fromEntries([1, 2, 3, 4].map((index) => [`172.16.${index}.0/24`, {}])),
  };
  const writes = await bench.writes(async () => {
    const next = await sets.apply(await sets.plan(now, { name: "big", entries: changed }));
    await bench.configure();
    await sets.expectSettled(next, { name: "big", entries: changed });
  });
  expect(writes.length).toBe(10);
}, 120_000);

test("survives answers that are lost, before and after the work", async () => {
  const path = "/cluster/firewall/ipset/{name}";
  const base = { name: "admins", entries: { "10.0.0.0/24": {}, "10.0.1.0/24": {} } };
  for (const after of [{}, { after: 1 as const }]) {
    bench.simulator.faults.order({ do: "answer", call: `POST ${path}`, status: 596, ...after });
    let now = await sets.create(base);
    for (const call of [`POST ${path}`, `PUT ${path}/{cidr}`, `DELETE ${path}/{cidr}`]) {
      bench.simulator.faults.order({ do: "answer", call, status: 596, ...after });
    }
    const next = { ...base, entries: { "10.0.0.0/24": { comment: "new" }, "10.0.2.0/24": {} } };
    now = await sets.update(now, next);
    expect(entriesIn("cluster", "admins")).toEqual({ "10.0.0.0/24": { comment: "new" }, "10.0.2.0/24": {} });
    bench.simulator.faults.clear();
    await sets.destroy(now);
  }
  bench.simulator.faults.order({ do: "answer", call: "POST /cluster/firewall/ipset", status: 596, after: 1 });
  let now = await sets.create(base);
  bench.simulator.faults.order({ do: "answer", call: "POST /cluster/firewall/ipset", status: 596, after: 1 });
  now = await sets.update(now, { ...base, name: "staff" });
  expect(attribute(now, "reference")).toBe("+dc/staff");
  await sets.destroy(now);
});

test("never lets an address in, or out, that both versions treat alike", async () => {
  const now = await sets
    .create({ name: "s", entries: { "10.0.0.0/8": {}, "10.0.1.0/24": { nomatch: true } } })
    .catch(() => null);
  expect(now).toBeNull(); // one letter is no name
  const base = { name: "lab", entries: { "10.0.0.0/8": {}, "10.0.1.0/24": { nomatch: true } } };
  const lab = await sets.create(base);
  const inside = (address: number[]) => {
    const matching = Object.entries(entriesIn("cluster", "lab")).filter(([cidr]) => {
      const [network = "", prefix = "32"] = cidr.split("/");
      const bytes = network.split(".").map(Number);
      return Array.from({ length: 32 }, (_, bit) => bit)
        .slice(0, Number(prefix))
        .every((bit) => (((bytes[bit >> 3] ?? 0) ^ (address[bit >> 3] ?? 0)) & (128 >> (bit & 7))) === 0);
    });
    const [decider] = matching.sort(([a], [b]) => Number(b.split("/")[1] ?? 32) - Number(a.split("/")[1] ?? 32));
    return decider !== undefined && !("nomatch" in decider[1]);
  };
  const seen: boolean[][] = [];
  const watched = [
    [10, 0, 1, 7],
    [10, 0, 1, 5],
    [10, 9, 9, 9],
    [172, 16, 0, 1],
    [10, 0, 2, 1],
  ];
  await bench.writes(
    () =>
      sets.update(lab, {
        name: "lab",
        entries: {
          "10.0.1.5": {},
          "10.0.0.0/16": { nomatch: true },
          "10.0.0.0/9": {},
          "172.16.0.0/12": { nomatch: true },
          "172.0.0.0/8": {},
        },
      }),
    () => seen.push(watched.map(inside)),
  );
  expect(
    seen.every(([first]) => first === false),
    "refused by both",
  ).toBe(true);
  expect(
    seen.every(([, , third]) => third === true),
    "in both",
  ).toBe(true);
  expect(
    seen.every((now) => now[3] === false),
    "in neither",
  ).toBe(true);
  expect(seen.at(-1)).toEqual([false, true, true, false, false]);
});

describe("is refused in the plan", () => {
  test.each<[string, Record<string, object>, RegExp]>([
    ["with an address that is none", { "10.0.0.300": {} }, /`10\.0\.0\.300`: an entry is an IP address/],
    ["with the whole world", { "0.0.0.0/0": {} }, /"0\.0\.0\.0\/1" and "128\.0\.0\.0\/1"/],
    ["with one network twice", { "10.0.0.0/24": {}, "10.0.0.9/24": {} }, /it is the same as `10\.0\.0\.0\/24`/],
    ["with an alias that does not exist", { "dc/nope": {} }, /Alias `dc\/nope` does not exist/],
    ["with a set inside", { "+dc/other": {} }, /an entry is an IP address/],
  ])("%s", async (_, entries, message) => {
    await expect(sets.plan(null, { name: "admins", entries: entries as never })).rejects.toThrow(message);
  });

  test("when it exists, with the import block", async () => {
    bench.file("cluster").sets["admins"] = { entries: [] };
    await expect(sets.plan(null, { name: "admins" })).rejects.toThrow(/exists already.*id = "admins"/s);
  });

  test("with a name in upper case, which Proxmox VE would change", async () => {
    await expect(sets.plan(null, { name: "Admins" })).rejects.toThrow(/lower-case letter/);
  });
});

test("is planned with values that are not known yet", async () => {
  for (const more of [{ vmid: unknown }, { name: unknown }, { comment: unknown }, { entries: unknown }]) {
    expect((await sets.plan(null, { name: "admins", ...more })).action).toBe("create");
  }
});

test("that the same plan creates may be named by rules, in either order", async () => {
  const rule = { type: "in", action: "ACCEPT", source: "+dc/fresh" };
  const [rules, set] = await Promise.all([
    bench.rules.plan(null, { rules: [rule] }),
    sets.plan(null, { name: "fresh" }),
  ]);
  await sets.apply(set);
  await bench.rules.destroy(await bench.rules.apply(rules));
});
