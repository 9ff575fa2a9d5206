/**
 * `npm run chaos -- --seed S --runs N [--terraform [--binary terraform|tofu|PATH]] [--parts vms,containers|all] [--jobs J]
 * [--verbose] [--log FILE]`: life cycles of a few objects under faults and kills. Each life mixes three kinds of objects,
 * unless `--parts` names them. Run i of seed S is the run of seed S + i alone: `--seed <that> --runs 1 --verbose`, with the
 * same parts, repeats its findings.
 */
import { parseArgs } from "node:util";
import type { Simulator } from "#simulator";
import { findBinaries, howToGetOne } from "../../src/cli/terraform-binaries.ts";
import { buildProvider } from "../../test/acceptance/cluster-workspace.ts";
import { live, type Outcome } from "./life.ts";
import { ModelledStack } from "./modelled-stack.ts";
import type { Part } from "./part.ts";
import { allParts, mixtureOf } from "./parts/index.ts";
import { describeOutcome, summarise } from "./report.ts";
import { type Script, writeScript } from "./script.ts";
import type { Stack } from "./stack.ts";
import { TerraformStack } from "./terraform-stack.ts";

const { values } = parseArgs({
  options: {
    seed: { type: "string", default: "1" },
    runs: { type: "string", default: "100" },
    jobs: { type: "string", default: "2" },
    /** Kinds of objects in each life; `all`, or a mixture of three that the seed decides when it is not given. */
    parts: { type: "string" },
    /** The file for the provider's log. */
    log: { type: "string" },
    verbose: { type: "boolean", default: false },
    terraform: { type: "boolean", default: false },
    /** Instead of the first one found. */
    binary: { type: "string" },
  },
});
const seeds = Array.from({ length: Number(values.runs) }, (_, index) => Number(values.seed) + index);
const choice = chooseParts(values.parts);
const plugin = await buildProvider();
const outcomes: Outcome[] = [];
const began = performance.now();

function chooseParts(list: string | undefined): readonly Part[] | null {
  if (list === undefined) return null;
  if (list === "all") return allParts;
  return list.split(",").map((name) => {
    const part = allParts.find((one) => one.name === name);
    if (part) return part;
    throw new Error(`there is no part ${name}; there are ${allParts.map((one) => one.name).join(", ")}`);
  });
}

function makeStack(simulator: Simulator, script: Script): Stack {
  if (!values.terraform) return new ModelledStack(simulator, script, [plugin.path]);
  const binary = findBinaries().find(({ path, name }) => !values.binary || [path, name].includes(values.binary));
  if (!binary) throw new Error(howToGetOne);
  return new TerraformStack(simulator, script, binary, plugin);
}

async function work(): Promise<void> {
  for (let seed = seeds.shift(); seed !== undefined; seed = seeds.shift()) {
    const outcome = await live(writeScript(seed, choice ?? mixtureOf(seed)), {
      makeStack,
      ...(values.log && { logPath: values.log }),
    });
    outcomes.push(outcome);
    const text = describeOutcome(outcome, values.verbose);
    if (text) process.stdout.write(`${text}\n`);
    if (outcomes.length % 25 === 0 && seeds.length > 0) tellSummary();
  }
}

const tellSummary = () => process.stdout.write(`${summarise(outcomes, (performance.now() - began) / 1000)}\n`);

await Promise.all(Array.from({ length: Number(values.jobs) }, work));
tellSummary();
process.exit(outcomes.some(({ findings }) => findings.length > 0) ? 1 : 0);
