import type { Binary } from "../../../src/cli/terraform-binaries.ts";
import { Workspace } from "../../../test/terraform/workspace.ts";
import type { Cluster } from "./cluster.ts";
import type { Contender } from "./contenders.ts";
import { watchChildren } from "./usage.ts";
import type { Wire } from "./wire.ts";

export const jobs = ["apply", "plan", "refresh", "unrefreshed", "destroy"] as const;
export type Job = (typeof jobs)[number];

export interface Figures {
  readonly contender: string;
  readonly job: Job;
  readonly vms: number;
  readonly latencyMs: number;
  readonly wallSeconds: number;
  /** The shortest and the longest of several runs. */
  readonly spread?: readonly [number, number];
  readonly cpuSeconds: number;
  readonly peakBytes: number;
  readonly calls: number;
  readonly connections: number;
  readonly byEndpoint: Readonly<Record<string, number>>;
}

export interface Setting {
  readonly vms: number;
  readonly latencyMs: number;
  readonly parallelism: number;
}

const commands: Record<Job, readonly string[]> = {
  apply: ["apply", "-auto-approve", "-input=false"],
  plan: ["plan", "-detailed-exitcode", "-input=false"],
  refresh: ["plan", "-refresh-only", "-input=false"],
  /** The time of Terraform itself with that many objects, and of the provider without the cluster. */
  unrefreshed: ["plan", "-refresh=false", "-detailed-exitcode", "-input=false"],
  destroy: ["destroy", "-auto-approve", "-input=false"],
};

/** The life cycle of so many VMs with one provider, and the figures of each part. */
export async function measureLife(
  binary: Binary,
  contender: Contender,
  { cluster, wire }: { cluster: Cluster; wire: Wire },
  setting: Setting,
): Promise<Figures[]> {
  await cluster.reset();
  using terraform = new Workspace(binary, contender.plugin, contender.address);
  terraform.patienceMs = 3_600_000;
  const access = { url: `https://127.0.0.1:${wire.port}/`, token: cluster.token, caFile: cluster.caFile };
  terraform.configure(contender.configuration(setting.vms, access));
  const figures: Figures[] = [];
  for (const job of jobs) figures.push(await measureJob(terraform, contender, job, { cluster, wire }, setting));
  return figures;
}

async function measureJob(
  terraform: Workspace,
  { name }: Contender,
  job: Job,
  { cluster, wire }: { cluster: Cluster; wire: Wire },
  { vms, latencyMs, parallelism }: Setting,
): Promise<Figures> {
  wire.takeConnections();
  const begun = performance.now();
  const running = terraform.start([...commands[job], `-parallelism=${parallelism}`]);
  const usage = watchChildren(running.process.pid ?? 0);
  const { code, stdout, stderr } = await running.outcome;
  const wallSeconds = (performance.now() - begun) / 1_000;
  // The provider must have done the work: a plan that finds changes is a failure here.
  if (code !== 0)
    throw new Error(`${name}: ${job} of ${vms} VMs ended with ${code}\n${stdout.slice(-2_000)}\n${stderr}`);
  const byEndpoint = await cluster.takeCalls();
  return {
    contender: name,
    job,
    vms,
    latencyMs,
    wallSeconds,
    ...usage.end(),
    calls: Object.values(byEndpoint).reduce((sum, count) => sum + count, 0),
    connections: wire.takeConnections(),
    byEndpoint,
  };
}

/** The median of each job of several lives, with its spread. */
export const medians = (lives: readonly (readonly Figures[])[]): Figures[] =>
  jobs.map((job) => median(lives.flatMap((life) => life.filter((one) => one.job === job))));

function median(runs: readonly Figures[]): Figures {
  const sorted = runs.toSorted((a, b) => a.wallSeconds - b.wallSeconds);
  const [shortest, middle, longest] = [sorted[0], sorted[Math.floor(sorted.length / 2)], sorted.at(-1)];
  if (!shortest || !middle || !longest) throw new Error("nothing was measured");
  return { ...middle, spread: [shortest.wallSeconds, longest.wallSeconds] };
}
