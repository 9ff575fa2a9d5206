/**
 * `npm run bench:vms`: the five VMs of the example, one after the other and three at a time, with clones of 12 s and of
 * 1 s. Prints Terraform's whole wall time divided by the time of the cluster's own tasks, the minimum for any provider
 * that works sequentially. SECONDS=1 measures only that one.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { defaultSeed, type Simulator, startSimulator } from "#simulator";
import { findBinaries, howToGetOne } from "../../src/cli/terraform-binaries.ts";
import { sourceAddress } from "../../src/source-address.ts";
import { buildProvider } from "../../test/acceptance/cluster-workspace.ts";
import { Workspace } from "../../test/terraform/workspace.ts";

const hcl = readFileSync(join(import.meta.dirname, "../../examples/complete/five-vms/main.tf"), "utf8");
const bars: Readonly<Record<string, number>> = { 12: 1.05, 1: 1.25 };
/** The default thin storage copies 100 GiB in 12 s. */
const templateSize = (seconds: number) => `${Math.round((100 * 1024 * seconds) / 12)}M`;

const [binary] = findBinaries();
if (!binary) throw new Error(howToGetOne);
const plugin = await buildProvider();
const wanted = process.env["SECONDS"] ? [process.env["SECONDS"]] : Object.keys(bars);
for (const seconds of wanted) {
  for (const parallelism of [1, 3]) {
    const { wall, tasks, calls, second } = await measure(Number(seconds), parallelism);
    const ratio = (wall / tasks).toFixed(2);
    const bar = parallelism === 1 ? `, bar ${bars[seconds] ?? "none"}` : "";
    process.stdout.write(
      `clone ${seconds} s, -parallelism=${parallelism}: wall ${wall.toFixed(1)} s / tasks ${tasks.toFixed(1)} s = ` +
        `${ratio}${bar}; ${calls} calls; second plan ${second}\n`,
    );
  }
}

async function measure(seconds: number, parallelism: number) {
  const simulator = await startSimulator({ tidy: true, seed: seedWithTemplate(templateSize(seconds)) });
  using terraform = workspaceOn(simulator);
  const watch = watchTasks(simulator);
  const begun = performance.now();
  const applied = await terraform.apply(`-parallelism=${parallelism}`);
  const wall = (performance.now() - begun) / 1_000;
  const tasks = watch.end();
  if (applied.code !== 0) throw new Error(applied.stdout);
  const { calls: summary } = simulator.sim.log.summary() as { calls: readonly { count: number }[] };
  const calls = summary.reduce((sum, { count }) => sum + count, 0);
  const { code } = await terraform.plan();
  await simulator.close();
  return { wall, tasks, calls, second: code === 0 ? "empty" : "NOT EMPTY" };
}

function seedWithTemplate(size: string): object {
  const seed = defaultSeed() as { guests: { config: Record<string, unknown> }[] };
  const config = seed.guests[0]?.config;
  if (config) config["scsi0"] = String(config["scsi0"]).replace(/size=\w+/, `size=${size}`);
  return seed;
}

function workspaceOn({ url, tokens, caCertificate }: Simulator): Workspace {
  if (!binary) throw new Error(howToGetOne);
  const terraform = new Workspace(binary, plugin, sourceAddress);
  terraform.configure(hcl);
  Object.assign(terraform.env, {
    PROXMOX_VE_ENDPOINT: url,
    PROXMOX_VE_API_TOKEN: tokens["terraform@pve!tf"] ?? "",
    PROXMOX_VE_CA_CERTIFICATE: terraform.write("ca.pem", caCertificate),
  });
  return terraform;
}

/** Sums the duration of each task, with frequent polls: a UPID contains whole seconds only. */
function watchTasks({ sim }: Simulator): { end(): number } {
  const begun = new Map<string, number>();
  const took = new Map<string, number>();
  const look = () => {
    for (const { upid, ended } of sim.world.tasks) {
      const now = performance.now();
      if (!begun.has(upid)) begun.set(upid, now);
      if (ended !== undefined && !took.has(upid)) took.set(upid, (now - (begun.get(upid) ?? now)) / 1_000);
    }
  };
  const timer = setInterval(look, 5);
  return {
    end() {
      clearInterval(timer);
      look();
      return [...took.values()].reduce((sum, seconds) => sum + seconds, 0);
    },
  };
}
