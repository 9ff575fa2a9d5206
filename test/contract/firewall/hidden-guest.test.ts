import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import type { Input } from "../../harness/index.ts";
import { FirewallBench } from "./firewall-bench.ts";

let bench: FirewallBench;

beforeAll(async () => {
  bench = await FirewallBench.start();
});
afterEach(() => bench.simulator.faults.clear());
afterAll(() => bench.close());

const accept = { type: "in", action: "ACCEPT", source: "10.0.0.1" };
const all: readonly [string, Record<string, Input>][] = [
  ["rules", { vmid: 101, rules: [accept] }],
  ["rules", { vmid: 102, rules: [accept] }],
  ["options", { guest: { vmid: 101, enabled: true } }],
  ["policy", { vmid: 101, rules: [accept] }],
  ["alias", { vmid: 101, name: "db", cidr: "10.0.0.1" }],
  ["ipset", { vmid: 101, name: "some", entries: { "10.0.0.0/8": {} } }],
];

describe("what a guest has is not gone because the guest is hidden", () => {
  test.each(all)("%s %o", async (type, config) => {
    const resource = () => bench.resource(`proxmox_firewall_${type}`);
    const made = await resource().create(config);
    const files = structuredClone(bench.files);
    bench.simulator.faults.order({ do: "revoke", privilege: "VM.Audit" });
    await bench.configure();
    const hidden = /Guest 10[12] cannot be seen.*Grant VM\.Audit/s;
    await expect(resource().refresh(made)).rejects.toThrow(hidden);
    await expect(resource().destroy(made)).rejects.toThrow(/cannot be seen|VM\.Audit/);
    expect(bench.files).toEqual(files);
    bench.simulator.faults.clear();
    await bench.configure();
    expect((await resource().refresh(made)).state).toEqual(made.state);
    await resource().destroy(made);
    await bench.configure();
  });

  test("not even if it is hidden between the plan of a removal and its apply", async () => {
    const made = await bench.rules.create({ vmid: 101, rules: [accept] });
    const removal = await bench.rules.planDestroy(made);
    bench.simulator.faults.order({ do: "revoke", privilege: "VM.Audit" });
    await bench.configure();
    await expect(bench.rules.destroy(made, removal)).rejects.toThrow("Guest 101 cannot be seen");
    expect(bench.stored("guest/101")).toHaveLength(1);
  });
});

test("the firewall of a guest that does not exist any more is gone", async () => {
  bench.simulator.faults.clear();
  await bench.configure();
  const made = await bench.rules.create({ vmid: 101, rules: [accept] });
  bench.simulator.faults.order({ do: "delete_vm", vmid: 101 });
  await bench.configure();
  expect(await bench.rules.find(made)).toBeNull();
});
