import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { attribute } from "../resource-bench.ts";
import { isComplete, pathsOf, type Tree, without } from "../transitions/lines.ts";
import { vmConfigs } from "./arbitrary-vm.ts";
import { Bench } from "./suite.ts";

let bench: Bench;

beforeAll(async () => {
  bench = await Bench.open({ speed: 2000, as: "root@pam" });
});

afterAll(() => bench.close());

const cases = Number(process.env["CASES"] ?? 6);
const seed = Number(process.env["SEED"] ?? 11);

/** Takes lines and blocks out at random until nothing is left. */
function stepsOf(config: Tree, dice: () => number): Tree[] {
  const steps: Tree[] = [];
  for (let rest = config; Object.keys(rest).length > 0; ) {
    const paths = pathsOf(rest);
    const before = rest;
    const most = 1 + Math.floor(dice() * 12);
    for (let count = 0; count < most; count++) {
      const path = paths[Math.floor(dice() * paths.length)] ?? [];
      const next = without(rest, path);
      if (isComplete(next)) rest = next;
    }
    if (rest === before) rest = without(rest, [Object.keys(rest)[0] ?? ""]);
    steps.push(rest);
  }
  return steps;
}

function diceOf(start: number): () => number {
  let state = start;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** A disk cannot shrink, and texts of SMBIOS keep their encoding. */
const final = (config: Readonly<Record<string, string>>) =>
  Object.fromEntries(
    Object.entries(config).map(([option, line]) => [
      option,
      option === "scsi0" ? line.replace(/,size=[^,]*/, "") : line,
    ]),
  );

let count = 0;

test(
  "whatever lines leave in whatever order, the VM becomes a plain clone again",
  async () => {
    const sources = fc.constantFrom("ubuntu-24.04-cloud", "debian-13-cloud", "talos-1.11");
    const powers = fc.constantFrom("running", "stopped");
    const property = fc.asyncProperty(sources, powers, vmConfigs, fc.nat(), async (template, power, config, throws) => {
      count += 1;
      const fixed = { clone: { template }, power, allow_duplicate_name: true, name: `undone-${count}` };
      const plain = await bench.vm.create(fixed);
      let vm = await bench.vm.create({ ...fixed, ...config });
      for (const rest of stepsOf(config, diceOf(throws))) vm = await bench.vm.update(vm, { ...fixed, ...rest });
      const vmids = [vm, plain].map((instance) => Number(attribute(instance, "vmid")));
      const [mine = {}, expected = {}] = vmids.map((vmid) => final(bench.comparable(vmid)));
      expect(mine).toEqual(expected);
      expect(bench.simulator.sim.world.ha.resources[`vm:${vmids[0]}`]).toBeUndefined();
      await bench.vm.destroy(vm);
      await bench.vm.destroy(plain);
    });
    await fc.assert(property, { numRuns: cases, seed, endOnFailure: true });
  },
  60_000 + cases * 20_000,
);
