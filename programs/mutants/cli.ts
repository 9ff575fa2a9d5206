/**
 * `npm run mutants [-- TEXT]`: plants each fault in a copy of the repository, and runs the tests that must notice it. It fails if one is
 * not noticed. With a text, only the faults that have it in their name or in the path of their source or tests.
 */
import { parseArgs } from "node:util";
import { aligned } from "../../src/cli/aligned.ts";
import { faults } from "./faults/index.ts";
import { type Finding, plantEach } from "./plant-each.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  /** Copies of the repository that are used at the same time. */
  options: { jobs: { type: "string", default: "2" } },
});
// The copies are removed at the exit of the process.
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(130));
const [text = ""] = positionals;
const chosen = faults.filter(({ name, file, suite }) => [name, file, suite.file].some((part) => part.includes(text)));
const begun = performance.now();
const findings: Finding[] = [];
for await (const finding of plantEach(chosen, Number(values.jobs))) {
  findings.push(finding);
  const { fault, isNoticed, seconds, output } = finding;
  process.stderr.write(`${findings.length}/${chosen.length} ${fault.name}: ${isNoticed ? "noticed" : "NOT NOTICED"}\n`);
  if (!isNoticed) process.stderr.write(`${output}\n`);
  if (seconds > 60) process.stderr.write(`  it took ${seconds.toFixed(0)} s: choose fewer tests\n`);
}

const rows = findings
  .toSorted((a, b) => chosen.indexOf(a.fault) - chosen.indexOf(b.fault))
  .map(({ fault, isNoticed, seconds }) => [fault.name, fault.suite.file, seconds.toFixed(1), isNoticed ? "yes" : "NO"]);
process.stdout.write(`${aligned([["planted fault", "tests", "seconds", "noticed"], ...rows])}\n`);
const missed = findings.filter(({ isNoticed }) => !isNoticed).length;
const minutes = ((performance.now() - begun) / 60_000).toFixed(1);
process.stdout.write(`${findings.length} faults in ${minutes} minutes, ${missed} not noticed\n`);
process.exitCode = missed === 0 && findings.length > 0 ? 0 : 1;
