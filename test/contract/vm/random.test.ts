import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { attribute } from "../resource-bench.ts";
import { neverSmaller } from "../transitions/arbitraries.ts";
import { shuffled, vmConfigs } from "./arbitrary-vm.ts";
import { Bench } from "./suite.ts";

let bench: Bench;

beforeAll(async () => {
  bench = await Bench.open({ speed: 2000, as: "root@pam" });
});

afterAll(() => bench.close());

/** `npm run fuzz:vms` for the full run of 2,000. */
const cases = Number(process.env["CASES"] ?? 15);
const seed = Number(process.env["SEED"] ?? 9);

let count = 0;

test(
  "any configuration can be applied, found unchanged, and turned into any other",
  async () => {
    const sources = fc.constantFrom("ubuntu-24.04-cloud", "debian-13-cloud", "talos-1.11");
    const powers = fc.constantFrom("running", "stopped");
    const property = fc.asyncProperty(sources, powers, vmConfigs, vmConfigs, async (template, power, first, second) => {
      count += 1;
      const fixed = { name: `random-${count}`, clone: { template }, power };
      const made = await bench.vm.create({ ...fixed, ...first });
      const plan = await bench.vm.plan(await bench.vm.refresh(made), shuffled({ ...fixed, ...first }));
      expect(plan.action).toBe("no-op");
      const updated = await bench.vm.update(made, { ...fixed, ...neverSmaller("disks", first, second) });
      await bench.vm.destroy(updated);
      expect(bench.has(Number(attribute(updated, "vmid")))).toBe(false);
    });
    await fc.assert(property, { numRuns: cases, seed, endOnFailure: true });
  },
  60_000 + cases * 5_000,
);
