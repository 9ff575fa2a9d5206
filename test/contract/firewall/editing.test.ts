import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import type { Rule } from "../../../src/resources/firewall/list/rule.ts";
import type { Input, Instance } from "../../harness/index.ts";
import { gaps } from "../../unit/resources/firewall/packets.ts";
import { asRule, FirewallBench } from "./firewall-bench.ts";

let bench: FirewallBench;

beforeAll(async () => {
  bench = await FirewallBench.start();
});
afterEach(async () => {
  bench.simulator.faults.clear();
  for (const key of Object.keys(bench.files)) delete bench.files[key];
  await bench.configure();
});
afterAll(() => bench.close());

const key = "guest/101";
const port = (dport: number | string, action = "ACCEPT", more: object = {}) => ({
  type: "in",
  action,
  proto: "tcp",
  dport: String(dport),
  ...more,
});
const config = (rules: object[]) => ({ vmid: 101, rules: rules as Input[] });

/** Every kind of call is needed, and the order of the rules matters for the packets of the checker. */
const old = [port("1:2", "DROP", { source: "10.0.0.0/31" }), port(1), port(2), port("3:4", "DROP"), port("1:4")];
const desired = [
  port("1:4", "DROP", { source: "10.0.0.2" }),
  port("1:2", "DROP", { source: "10.0.0.0/31" }),
  port(3, "ACCEPT", { source: "10.0.0.0/30" }),
  port("1:4"),
  port(2),
];

/** Applies the change, and looks after every call whether a packet falls into a gap. */
async function change(now: Instance, goal: object[], disturb: (count: number) => void = () => {}) {
  const before = bench.stored(key);
  const wanted = await goalOf(goal);
  let count = 0;
  const found: unknown[] = [];
  const look = (call: string) => {
    found.push(...gaps(before, wanted, bench.stored(key)).map((packet) => ({ call, packet })));
    disturb(++count);
  };
  const work = async () => bench.rules.apply(await bench.rules.plan(await bench.rules.refresh(now), config(goal)));
  const calls = await bench.writes(work, look);
  expect(found).toEqual([]);
  return calls;
}

/** The rules as the cluster will keep them. */
async function goalOf(goal: object[]): Promise<Rule[]> {
  return goal.map((rule) => asRule({ ...(rule as Record<string, string>), enable: "1" }));
}

const expectDone = () => expect(bench.stored(key)).toMatchObject(desired);

test("takes few calls, and no packet falls into a gap", async () => {
  const now = await bench.rules.create(config(old));
  const calls = await change(now, desired);
  expect(calls.length).toBeLessThanOrEqual(9);
  expectDone();
});

describe("survives", () => {
  test.each([false, true])("each call that is lost, after its work: %s", async (isAfter) => {
    const now = await bench.rules.create(config(old));
    const { length } = await change(now, desired);
    for (let nth = 1; nth <= length; nth++) {
      bench.file(key).rules = old.map((rule) => ({ ...rule, enable: "1" }));
      await bench.configure();
      for (const method of ["POST", "PUT", "DELETE"]) {
        const path =
          method === "POST"
            ? "/nodes/{node}/qemu/{vmid}/firewall/rules"
            : "/nodes/{node}/qemu/{vmid}/firewall/rules/{pos}";
        bench.simulator.faults.order({
          do: "answer",
          call: `${method} ${path}`,
          status: 596,
          nth,
          ...(isAfter && { after: 1 }),
        });
      }
      await change(now, desired);
      expectDone();
      bench.simulator.faults.clear();
    }
  });

  test("a provider that is killed between any two calls", async () => {
    const now = await bench.rules.create(config(old));
    const { length } = await change(now, desired);
    for (let nth = 1; nth < length; nth++) {
      bench.file(key).rules = old.map((rule) => ({ ...rule, enable: "1" }));
      await bench.restart();
      await change(now, desired, (count) => {
        if (count === nth) bench.provider.process.kill("SIGKILL");
      }).catch(() => {});
      while (bench.provider.process.exitCode === null && bench.provider.process.signalCode === null) await sleep(10);
      await bench.restart();
      await change(now, desired);
      expectDone();
    }
  });

  test("another client that writes between any two calls", async () => {
    const now = await bench.rules.create(config(old));
    const { length } = await change(now, desired);
    for (let nth = 1; nth <= length; nth++) {
      bench.file(key).rules = old.map((rule) => ({ ...rule, enable: "1" }));
      await change(now, desired, (count) => {
        if (count === nth)
          bench.file(key).rules.splice(1, 0, { type: "out", action: "DROP", enable: "0", comment: `by ${nth}` });
      });
      // What came after the last call is for the next plan.
      if (nth < length) expectDone();
    }
  });

  test("another client that inserts a rule between a read and the call after it, which the digest refuses", async () => {
    const now = await bench.rules.create(config(old));
    const after: string[] = [];
    for (let nth = 1, reads = nth; reads >= nth; nth++) {
      bench.file(key).rules = old.map((rule) => ({ ...rule, enable: "1" }));
      reads = 0;
      let isNext = false;
      const stop = bench.simulator.sim.log.subscribe(({ method, path, status }) => {
        if (!path.includes("/101/firewall/rules")) return;
        if (isNext && method !== "GET") after.push(`${method} ${status}`);
        isNext = method === "GET" && ++reads === nth;
        if (isNext) bench.file(key).rules.unshift({ type: "out", action: "DROP", enable: "0", comment: `by ${nth}` });
      });
      await change(now, desired).finally(stop);
      // What came after the last read is for the next plan.
      if (reads > nth) expectDone();
    }
    // A new rule is put first, whatever else is there: only that call needs no digest.
    expect(new Set(after)).toEqual(new Set(["POST 200", "PUT 500", "DELETE 500"]));
  });

  test("another client that moves a rule just before a call, which its digest refuses", async () => {
    const now = await bench.rules.create(config(old));
    bench.simulator.faults.order({
      do: "answer",
      call: "PUT /nodes/{node}/qemu/{vmid}/firewall/rules/{pos}",
      status: 500,
      reason: "detected modified configuration - file changed by other user? Try again.",
      times: 2,
    });
    await change(now, desired);
    expectDone();
  });

  test("no end of other writers: it stops with a message", async () => {
    const now = await bench.rules.create(config(old));
    bench.simulator.faults.order({
      do: "answer",
      call: "* /nodes/{node}/qemu/{vmid}/firewall/rules/{pos}",
      status: 500,
      reason: "detected modified configuration - file changed by other user? Try again.",
      times: 0,
    });
    await expect(change(now, [...desired, port(4, "DROP")])).rejects.toThrow("Another client changed the same list");
  });
});

describe("costs", () => {
  test("at most 8 calls for one rule inserted among 300 and three moved, and one to plan", async () => {
    const many = Array.from({ length: 300 }, (_, index) => port(1000 + index, index % 4 === 0 ? "DROP" : "ACCEPT"));
    bench.file(key).rules = many.map((rule) => ({ ...rule, enable: "1" }));
    const now = await bench.rules.import({ id: key });
    const goal = [...many];
    const [a, b, c] = [10, 120, 250].map((index) => many[index] as object) as [object, object, object];
    const rest = goal.filter((rule) => rule !== a && rule !== b && rule !== c);
    const next = [
      c,
      ...rest.slice(0, 150),
      { type: "in", action: "DROP", source: "10.9.0.0/16" },
      a,
      ...rest.slice(150),
      b,
    ];
    const { log } = bench.simulator.sim;
    log.clear();
    await bench.configure();
    const refreshed = await bench.rules.refresh(now);
    const plan = await bench.rules.plan(refreshed, config(next as object[]));
    const { calls: reads } = log.summary() as { calls: { endpoint: string; count: number }[] };
    expect(reads.filter(({ endpoint }) => endpoint.includes("firewall"))).toMatchObject([
      { endpoint: "GET /nodes/{node}/qemu/{vmid}/firewall/rules", count: 1 },
    ]);
    const writes = await bench.writes(() => bench.rules.apply(plan));
    expect(writes.length).toBeLessThanOrEqual(8);
    expect(bench.stored(key)).toHaveLength(301);
  });
});

test("a rule that another client adds after the last call of a creation is for the next plan", async () => {
  const plan = await bench.rules.plan(null, config(desired));
  const stop = bench.simulator.sim.log.subscribe(({ method, path }) => {
    const isWhole =
      bench.stored(key).length === desired.length && bench.stored(key).every(({ isEnabled }) => isEnabled);
    if (method !== "GET" || !path.endsWith("/rules") || !isWhole) return;
    stop();
    bench.file(key).rules.push({ type: "out", action: "DROP", enable: "1", comment: "late" });
  });
  const now = await bench.rules.apply(plan);
  expect(bench.stored(key)).toHaveLength(desired.length + 1);
  await bench.configure();
  expect((await bench.rules.plan(await bench.rules.refresh(now), config(desired))).action).toBe("update");
});
