import { afterAll, beforeAll, expect, test } from "vitest";
import { settings } from "../../../src/registry.ts";
import type { Input, Instance, Plan } from "../../harness/index.ts";
import { ResourceBench } from "../resource-bench.ts";
import { crowdedSeed, crowds, prepareCrowd } from "./copies.ts";
import { settingsRows } from "./settings-rows.ts";

/** What no list shows whole, so that each object costs a call, and why. */
const alone: Readonly<Record<string, string>> = {
  proxmox_acme_account: "the list shows names",
  proxmox_metric_server: "the list shows type, server, port and whether it is disabled",
  proxmox_pool: "the list shows no members",
  proxmox_realm: "the list shows type, comment and second factor",
};

interface One {
  readonly type: string;
  readonly config: Record<string, Input>;
}

const each = 8;
const few = (most: number) => Array.from({ length: Math.min(each, most) }, (_, index) => index + 1);

const made: readonly One[] = crowds.flatMap(({ type, of, most }) => few(most).map((n) => ({ type, config: of(n) })));
const set: readonly One[] = settingsRows.map(({ type, base }) => ({ type, config: base }));
const entries: readonly One[] = few(each).map((n) => ({
  type: "proxmox_acl",
  config: { path: `/vms/${5000 + n}`, role: "PVEAuditor", user: "terraform@pve" },
}));

let bench: ResourceBench;

beforeAll(async () => {
  bench = await ResourceBench.open({ as: "root@pam", seed: crowdedSeed() });
  prepareCrowd(bench.simulator.sim.world);
});
afterAll(() => bench.close());

/** The paths that were read, with how often. */
async function readIn(work: () => Promise<unknown>): Promise<Map<string, number>> {
  const { log } = bench.simulator.sim;
  const paths = new Map<string, number>();
  log.clear();
  const unsubscribe = log.subscribe(({ method, path }) => {
    if (method === "GET") paths.set(path, (paths.get(path) ?? 0) + 1);
  });
  await work();
  unsubscribe();
  return paths;
}

/** A pool is read by a parameter, so that all of them have one path. */
const repeated = (paths: Map<string, number>) =>
  [...paths].filter(([path, count]) => count > 1 && path !== "/pools").map(([path, count]) => `${count} × ${path}`);

const isOfOne = (read: string) => read.endsWith("}") || read === "GET /pools";

/** Types whose objects were read one by one. */
function readAlone(): string[] {
  const { calls } = bench.simulator.sim.log.summary() as { calls: { endpoint: string }[] };
  const called = new Set(calls.map(({ endpoint }) => endpoint));
  return crowds.flatMap(({ type, reads }) => (reads.some((read) => called.has(read) && isOfOne(read)) ? [type] : []));
}

test("a plan of 200 objects of all kinds asks for each list once, and alone for what no list shows whole", async () => {
  const all = [...made, ...set, ...entries];
  expect(all.length).toBeGreaterThanOrEqual(200);
  let plans: Plan[] = [];
  const planned = await readIn(async () => {
    plans = await Promise.all(made.map(({ type, config }) => bench.resource(type).plan(null, config)));
  });
  expect(repeated(planned)).toEqual([]);
  expect(readAlone().sort()).toEqual(Object.keys(alone));

  const instances = await Promise.all([
    ...made.map(({ type }, index) => bench.resource(type).apply(plans[index] as Plan)),
    ...[...set, ...entries].map(async ({ type, config }) =>
      bench.resource(type).apply(await bench.resource(type).plan(null, config)),
    ),
  ]);
  await bench.configure();
  const paths = await readIn(() =>
    Promise.all(
      all.map(async ({ type, config }, index) => {
        const found = await bench.resource(type).refresh(instances[index] as Instance);
        expect((await bench.resource(type).plan(found, config)).action).toBe("no-op");
      }),
    ),
  );
  expect(repeated(paths)).toEqual([]);
  expect(readAlone().sort()).toEqual(Object.keys(alone));
  const singles = all.filter(({ type }) => type in alone || type in settings).length;
  const total = [...paths.values()].reduce((sum, count) => sum + count, 0);
  // One list for each type, or for each of its kinds, and the inventory of the cluster.
  expect(total - singles).toBeLessThanOrEqual(crowds.length + 5);
});
