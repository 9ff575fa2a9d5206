/**
 * `npm run bench`: Terraform's whole `apply`, `plan`, refresh and `destroy` of 1 to 1,000 VMs on a simulated cluster at
 * several latencies, with this provider and with any other in turn: `PEER_PROVIDER=/path/to/it PEER_KIND=bpg npm run bench --
 * --sizes 1,10,100`; `--guests containers` measures containers instead, 20 of them, and `--guests mixed` 500 objects, of which a
 * fifth are VMs. Prints the median wall time of `--repeat` lives and its spread, CPU, memory, API calls and connections, with
 * ratios and growth; `--json` and `--svg` write them to files, `--readme` writes the table of the README.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { findBinaries, howToGetOne } from "../../../src/cli/terraform-binaries.ts";
import { chart } from "./chart.ts";
import { startCluster } from "./cluster.ts";
import { contenders, type Guests } from "./contenders.ts";
import { bars, beyondTerraform, containerBars, exponent, ratio } from "./figures.ts";
import { type Figures, jobs, measureLife, medians } from "./measure.ts";
import { readmeTable, withTable } from "./readme-table.ts";
import { startDelayProxy } from "./wire.ts";

const { values } = parseArgs({
  options: {
    guests: { type: "string", default: "vms" },
    /** Default: 1,10,100,1000 VMs, 20 containers, 500 mixed objects. */
    sizes: { type: "string" },
    latencies: { type: "string", default: "0,5,15" },
    pools: { type: "string", default: "0" },
    parallelism: { type: "string", default: "10" },
    speed: { type: "string", default: "20" },
    repeat: { type: "string", default: "3" },
    json: { type: "string" },
    svg: { type: "string" },
    readme: { type: "boolean" },
  },
});
const numbers = (text: string) => text.split(",").map(Number);
const [binary] = findBinaries();
if (!binary) throw new Error(howToGetOne);

const usual = { vms: "1,10,100,1000", containers: "20", mixed: "500" };
const guests = values.guests as Guests;
if (!(guests in usual)) throw new Error(`--guests is one of ${Object.keys(usual).join(", ")}`);
const sizes = numbers(values.sizes ?? usual[guests]);
const all: Figures[] = [];
const pools = Number(values.pools);
const cluster = await startCluster({ pools, speed: Number(values.speed) });
try {
  const measured = await contenders(process.env, guests);
  say(["job", "guests", "latency", "provider", "wall", "spread", "ratio", "CPU", "memory", "calls", "connections"]);
  for (const latencyMs of numbers(values.latencies)) {
    const wire = await startDelayProxy(cluster.port, latencyMs);
    for (const vms of sizes) {
      const setting = { vms, latencyMs, parallelism: Number(values.parallelism) };
      const lives = measured.map((): Figures[][] => []);
      // In turn, so that what else the machine does hits all of them.
      for (let round = 0; round < Number(values.repeat); round++) {
        for (const [index, contender] of measured.entries())
          lives[index]?.push(await measureLife(binary, contender, { cluster, wire }, setting));
      }
      const here = lives.flatMap(medians);
      all.push(...here);
      for (const one of here) say(row(one));
    }
    wire.close();
  }
} finally {
  cluster.close();
}

/** Of mixed objects only the ratios are of interest. */
const limits = { vms: () => bars(all, pools), containers: () => containerBars(all), mixed: () => [] };
for (const name of new Set(all.map(({ contender }) => contender))) {
  for (const job of jobs) tellGrowth(name, job);
}
for (const { what, limit, measured: value } of limits[guests]()) {
  process.stdout.write(`${value <= limit ? "met   " : "MISSED"} ${what}: ${value.toFixed(2)}, limit ${limit}\n`);
}
for (const plan of all.filter(({ contender, job }) => contender === "ours" && job === "plan")) {
  const added = beyondTerraform(all, plan);
  const what = `time that the refresh adds to a plan of ${plan.vms} ${guests === "vms" ? "VMs" : guests} at ${plan.latencyMs} ms, over the peer's`;
  if (added !== null) process.stdout.write(`       ${what}: ${added.toFixed(2)}\n`);
}
if (values.json)
  writeFileSync(
    values.json,
    `${JSON.stringify({ terraform: binary.version, guests, pools, figures: all }, null, 2)}\n`,
  );
if (values.svg) writeFileSync(values.svg, chart(all));
if (values.readme) {
  const readme = join(import.meta.dirname, "../../../README.md");
  const date = new Date().toISOString().slice(0, 10);
  const table = readmeTable({ figures: all, terraform: binary.version, date });
  writeFileSync(readme, withTable(readFileSync(readme, "utf8"), table));
}

function row(one: Figures): string[] {
  const over = ratio(all, one, ({ wallSeconds }) => wallSeconds);
  return [
    one.job,
    String(one.vms),
    `${one.latencyMs} ms`,
    one.contender,
    `${one.wallSeconds.toFixed(2)} s`,
    one.spread?.map((seconds) => seconds.toFixed(2)).join("-") ?? "",
    over === null ? "" : over.toFixed(2),
    `${one.cpuSeconds.toFixed(2)} s`,
    `${(one.peakBytes / 1e6).toFixed(0)} MB`,
    String(one.calls),
    String(one.connections),
  ];
}

/** From the largest size and the one before it. */
function tellGrowth(contender: string, job: Figures["job"]): void {
  const latency = Math.max(...all.map(({ latencyMs }) => latencyMs));
  const same = all.filter((one) => one.contender === contender && one.job === job && one.latencyMs === latency);
  const grows = (of: (one: Figures) => number) =>
    exponent(same.map((one) => ({ vms: one.vms, value: of(one) })))?.toFixed(2) ?? "?";
  if (same.length < 2) return;
  const calls = grows((one) => one.calls);
  const wall = grows((one) => one.wallSeconds);
  const memory = grows((one) => one.peakBytes);
  process.stdout.write(`${contender} ${job}: calls grow with VMs^${calls}, wall ^${wall}, memory ^${memory}\n`);
}

function say(cells: readonly string[]): void {
  const widths = [12, 6, 8, 9, 9, 13, 6, 9, 8, 7, 0];
  process.stdout.write(
    `${cells
      .map((cell, index) => cell.padEnd(widths[index] ?? 0))
      .join(" ")
      .trimEnd()}\n`,
  );
}
