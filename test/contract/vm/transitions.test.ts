import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Instance, ProviderErrors } from "../../harness/index.ts";
import { attribute } from "../resource-bench.ts";
import { meddlings, type Transition, transitions } from "./arbitrary-transition.ts";
import { neverSmaller } from "./arbitrary-vm.ts";
import { Bench, type Input } from "./suite.ts";

let bench: Bench;

beforeAll(async () => {
  bench = await Bench.open({ speed: 400, as: "root@pam" });
});

afterAll(() => bench.close());

/** `npm run fuzz:transitions` for the full run of 3,000. */
const cases = Number(process.env["CASES"] ?? 12);
const seed = Number(process.env["SEED"] ?? 4);

/** One case of a run, to look into a finding. */
const only = process.env["ONLY"];

const counts = { applied: 0, refused: 0 };
const refusals: Record<string, number> = {};

/** A plan may refuse with a reason; what it lets through must work, and be settled afterwards. */
async function plan(prior: Instance | null, config: Input) {
  try {
    return await bench.vm.plan(prior, config);
  } catch (reason) {
    if (!(reason instanceof ProviderErrors) || /bug in the provider|plugin/i.test(reason.message)) throw reason;
    counts.refused += 1;
    for (const { summary } of reason.diagnostics) refusals[summary] = (refusals[summary] ?? 0) + 1;
    return null;
  }
}

async function apply(prior: Instance | null, config: Input): Promise<Instance | null> {
  const planned = await plan(prior, config);
  if (planned === null) return null;
  const applied = await bench.vm.apply(planned, config);
  await bench.vm.expectSettled(applied, config);
  counts.applied += 1;
  return applied;
}

async function live(fixed: Record<string, Input>, first: Record<string, Input>, steps: readonly Transition[]) {
  let instance = await apply(null, { ...fixed, ...first });
  if (instance === null) return;
  const vmid = Number(attribute(instance, "vmid"));
  let previous = first;
  for (const { config, meddling } of steps) {
    meddlings[meddling](bench, vmid);
    await bench.configure();
    const next = neverSmaller(previous, config);
    const updated = await apply(await bench.vm.refresh(instance), { ...fixed, ...next });
    instance = updated ?? instance;
    previous = updated ? next : previous;
  }
  await bench.vm.destroy(await bench.vm.refresh(instance));
  expect(bench.has(vmid)).toBe(false);
}

interface Finding {
  readonly index: number;
  readonly problem: string;
}

test(
  "a VM that runs or not can be changed into any other, whatever others have done to it",
  async () => {
    const sources = fc.constantFrom("ubuntu-24.04-cloud", "debian-13-cloud", "talos-1.11");
    const samples = fc.sample(fc.tuple(sources, transitions), { numRuns: cases, seed });
    const findings: Finding[] = [];
    for (const [index, [template, { first, steps }]] of samples.entries()) {
      if (only !== undefined && index !== Number(only)) continue;
      const fixed = { name: `moving-${index}`, clone: { template } };
      await live(fixed, first, steps).catch((reason: unknown) =>
        findings.push({ index, problem: String(reason).slice(0, 600) }),
      );
    }
    process.stderr.write(`seed ${seed}: ${cases} VMs, ${JSON.stringify(counts)}, ${findings.length} findings\n`);
    process.stderr.write(`refused: ${JSON.stringify(refusals)}\n`);
    expect(findings).toEqual([]);
    // Otherwise the rules above were hardly put to the test.
    expect(counts.applied).toBeGreaterThan(counts.refused);
  },
  60_000 + cases * 10_000,
);
