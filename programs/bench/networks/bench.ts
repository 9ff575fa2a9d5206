/**
 * `npm run bench:networks`: what changes of networks and firewalls cost, with this provider and, if `PEER_PROVIDER` is its
 * path, with bpg's: commits of the SDN, reloads of a node, calls that write and that read. This provider is packaged as in a
 * release, or the one in `OUR_PROVIDER`. `--only TEXT` measures changes with that text in their name; `--write` puts the table
 * into the guide on performance.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { defaultSeed, type Simulator, startSimulator } from "#simulator";
import { findBinaries, howToGetOne } from "../../../src/cli/terraform-binaries.ts";
import { type Outcome, startedByTerraform, Workspace } from "../../../test/terraform/workspace.ts";
import { type Contender, contenders } from "../providers/contenders.ts";
import { bpgProvider, ourProvider } from "../providers/provider-blocks.ts";
import { type Case, cases, type Kind } from "./cases.ts";

const { values } = parseArgs({ options: { write: { type: "boolean", default: false }, only: { type: "string" } } });
const [binary] = findBinaries();
if (!binary) throw new Error(howToGetOne);
const terraform = binary;

/** How long one apply may take. */
const patienceMs = 900_000;

class TooLong extends Error {}

interface Figures {
  readonly measured: number;
  readonly reads: number;
  readonly seconds: number;
  readonly second: string;
}

let isMissed = false;
const peer = process.env["PEER_PROVIDER"];
const providers = await contenders({ ...process.env, ...(peer && { PEER_KIND: "bpg" }) });
const blocks = { ours: ourProvider, bpg: bpgProvider };

/** One change, from a state that the same provider has made. */
async function measure({ name, plugin, address }: Contender, { before, after, unit }: Case): Promise<Figures> {
  const kind = name as Kind;
  const simulator = await startSimulator({ speed: 200, tidy: true, seed: defaultSeed() });
  using workspace = startedByTerraform(new Workspace(terraform, plugin, address));
  workspace.patienceMs = patienceMs;
  const caFile = workspace.write("ca.pem", simulator.caCertificate);
  const access = { url: simulator.url, token: simulator.tokens["root@pam!admin"] ?? "", caFile };
  const configure = (hcl: string) => workspace.configure(`${blocks[kind](access)}\n${hcl}`);
  try {
    if (before) {
      configure(before[kind]);
      done(await workspace.apply());
    }
    configure(after[kind]);
    const { world, log } = simulator.sim;
    log.clear();
    const tasks = world.tasks.length;
    const begun = performance.now();
    done(await workspace.apply());
    const seconds = (performance.now() - begun) / 1000;
    const calls = callsIn(simulator);
    const writes = calls.filter(({ endpoint }) => !endpoint.startsWith("GET"));
    const made = world.tasks.slice(tasks).filter(({ type }) => type === unit).length;
    log.clear();
    const { code } = await workspace.plan();
    const reads = callsIn(simulator).filter(({ endpoint }) => /firewall|sdn|network/.test(endpoint));
    return {
      measured: unit === "calls" ? sum(writes) : made,
      reads: sum(reads),
      seconds,
      second: code === 0 ? "empty" : "not empty",
    };
  } finally {
    await simulator.close();
  }
}

function callsIn({ sim }: Simulator): readonly { readonly endpoint: string; readonly count: number }[] {
  return (sim.log.summary() as { calls: { endpoint: string; count: number }[] }).calls;
}

const sum = (calls: readonly { readonly count: number }[]): number => calls.reduce((all, { count }) => all + count, 0);

function done({ code, diagnostics, stderr }: Outcome): void {
  if (code === null) throw new TooLong(`no end after ${patienceMs / 1000} s`);
  if (code !== 0)
    throw new Error(diagnostics.map(({ summary, detail }) => `${summary}: ${detail}`).join("\n") || stderr);
}

async function cellOf(provider: Contender, one: Case): Promise<string> {
  const isOurs = provider.name === "ours";
  try {
    const { measured, reads, seconds, second } = await measure(provider, one);
    if (isOurs && (measured > one.bar || second !== "empty")) isMissed = true;
    return `${measured} ${units[one.unit]}, ${seconds.toFixed(1)} s; next plan ${second}, ${reads} reading calls`;
  } catch (reason) {
    if (isOurs || !(reason instanceof TooLong)) throw reason;
    return `an apply had no end after ${patienceMs / 1000} s`;
  }
}

const units = { calls: "writing calls", reloadnetworkall: "commits", srvreload: "reloads" } as const;
const lines = [
  `| change | bar | ${providers.map(({ name }) => (name === "ours" ? "this provider" : "bpg 0.111")).join(" | ")} |`,
  `|---|---|${providers.map(() => "---|").join("")}`,
];
for (const one of cases.filter(({ name }) => !values.only || name.includes(values.only))) {
  const cells: string[] = [];
  for (const provider of providers) {
    cells.push(await cellOf(provider, one));
    process.stderr.write(`${one.name}, ${provider.name}: ${cells.at(-1)}\n`);
  }
  lines.push(`| ${one.name} | ≤ ${one.bar} ${units[one.unit]} | ${cells.join(" | ")} |`);
}
process.stdout.write(`\n${lines.join("\n")}\n`);
if (values.write) {
  const guide = join(import.meta.dirname, "../../../docs/guides/performance.md");
  const text = readFileSync(guide, "utf8");
  const table = /(<!-- bench:networks -->\n)[\s\S]*?(\n<!-- end -->)/;
  if (!table.test(text)) throw new Error("the guide has no place for the table");
  writeFileSync(
    guide,
    text.replace(table, (_, begin: string, end: string) => `${begin}\n${lines.join("\n")}\n${end}`),
  );
}
process.exit(isMissed ? 1 : 0);
