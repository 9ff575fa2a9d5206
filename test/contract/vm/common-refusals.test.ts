import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { Input } from "../../harness/index.ts";
import { Bench } from "./suite.ts";

let bench: Bench;

beforeAll(async () => {
  bench = await Bench.open();
});

beforeEach(() => bench.configure());

afterAll(() => bench.close());

const count = (of: number, config: (index: number) => Input) => Array.from({ length: of }, (_, index) => config(index));

async function errorsOf(type: string, configs: readonly Input[]): Promise<string[]> {
  const outcomes = await Promise.allSettled(configs.map((config) => bench.resource(type).plan(null, config)));
  return outcomes.flatMap((outcome) => (outcome.status === "rejected" ? [String(outcome.reason)] : []));
}

test.each<[string, string, (index: number) => Input, RegExp]>([
  [
    "VMs of a template that does not exist",
    "proxmox_vm",
    (index) => ({ name: `many-${index}`, clone: { template: "debian-13-clou" } }),
    /Template not found.*39 more resources have the same problem/s,
  ],
  [
    "containers of an image that does not exist",
    "proxmox_container",
    (index) => ({ name: `many-${index}`, node: "pve1", image: { volume: "local:vztmpl/none.tar.zst" } }),
    /No such file.*39 more resources have the same problem/s,
  ],
  [
    "users of a group that does not exist",
    "proxmox_user",
    (index) => ({ id: `many-${index}@pve`, groups: ["none"] }),
    /none.*39 more resources have the same problem/s,
  ],
])("of 40 %s one is reported, with the number of the others", async (_, type, config, expected) => {
  const errors = await errorsOf(type, count(40, config));
  expect(errors).toHaveLength(1);
  expect(errors[0]).toMatch(expected);
});

test("different errors are reported each, and do not wait for one another", async () => {
  const began = performance.now();
  const errors = await errorsOf(
    "proxmox_vm",
    count(10, (index) => ({ name: `many-${index}`, clone: { template: `none-${index % 2}` } })),
  );
  expect(errors).toHaveLength(2);
  for (const error of errors) expect(error).toContain("4 more resources have the same problem");
  expect(performance.now() - began).toBeLessThan(10_000);
});

test("an error that comes later is reported again", async () => {
  const config = { name: "again", clone: { template: "none" } };
  for (const _ of [1, 2]) {
    const [error] = await errorsOf("proxmox_vm", [config]);
    expect(error).toContain("Template not found");
    expect(error).not.toContain("the same problem");
  }
});

test("before an apply each reports for itself, since its plan is not the one of before", async () => {
  const configs = count(3, (index) => ({ name: `later-${index}`, clone: { template: "debian-13-cloud" } }));
  expect(await errorsOf("proxmox_vm", configs)).toEqual([]);
  const { guests } = bench.simulator.sim.world;
  const { 9001: template, ...others } = guests;
  bench.simulator.sim.world.guests = others;
  await bench.configure();
  const errors = await errorsOf("proxmox_vm", configs);
  bench.simulator.sim.world.guests = guests;
  expect(template).toBeDefined();
  expect(errors).toHaveLength(3);
  for (const error of errors) expect(error).toMatch(/Template not found(?!.*the same problem)/s);
});
