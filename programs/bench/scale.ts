/**
 * `npm run bench:scale`: what a plan of many VMs on many nodes costs the provider. Terraform's core is modelled by the test
 * harness, since Terraform itself would be the limit. `--sizes 100,1000,10000 --nodes 50`; the provider is packaged as in a
 * release, or the one in `OUR_PROVIDER`.
 */
import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { defaultSeed } from "#simulator";
import { stream } from "../../test/contract/vm/streams.ts";
import { clientCertificate } from "../../test/harness/client-certificate.ts";
import { Core, type Instance, type Launched, launch } from "../../test/harness/index.ts";
import { type Cluster, startCluster } from "./providers/cluster.ts";
import { contenders } from "./providers/contenders.ts";
import { type Bar, exponent } from "./providers/figures.ts";
import { type Usage, usageOf } from "./providers/usage.ts";

const { values } = parseArgs({
  options: { sizes: { type: "string", default: "100,1000,10000" }, nodes: { type: "string", default: "50" } },
});
const sizes = values.sizes.split(",").map(Number);
const nodes = Array.from({ length: Number(values.nodes) }, (_, index) => `pve${index + 1}`);
/** Terraform's own `-parallelism`. */
const atOnce = 10;
/** Calls of a plan besides one for each guest. */
const forAll = nodes.length + 10;

interface Figures extends Usage {
  readonly vms: number;
  readonly calls: number;
  /** Of a query with the whole configurations, in seconds. */
  readonly firstResult: number;
}

const [ours] = await contenders({ OUR_PROVIDER: process.env["OUR_PROVIDER"] });
if (!ours) throw new Error("nothing to measure");
const command = [ours.plugin.path];
const all: Figures[] = [];
for (const vms of sizes) {
  const cluster = await startCluster({ pools: 0, speed: 100, more: seedOf(vms) });
  try {
    const figures = await measure(cluster, vms);
    all.push(figures);
    process.stdout.write(`${line(figures)}\n`);
  } finally {
    cluster.close();
  }
}
const largest = all.reduce((most, one) => (one.vms > most.vms ? one : most));
const smallest = all.reduce((least, one) => (one.vms < least.vms ? one : least));
const grown = (value: (one: Figures) => number) =>
  exponent([smallest, largest].map((one) => ({ vms: one.vms, value: value(one) })));
const growth: Bar[] = [
  { what: "growth of calls", limit: 1.05, measured: grown(({ calls }) => calls) ?? 0 },
  { what: "growth of processor time", limit: 1.05, measured: grown(({ cpuSeconds }) => cpuSeconds) ?? 0 },
];
const bars: Bar[] = [
  { what: `calls besides one for each of ${largest.vms} VMs`, limit: forAll, measured: largest.calls - largest.vms },
  { what: "MB of the provider", limit: 600, measured: largest.peakBytes / 1e6 },
  ...all
    .filter(({ vms }) => vms === 1_000)
    .map(({ firstResult }) => ({
      what: "seconds until the first result of a query of 1,000 VMs",
      limit: 1,
      measured: firstResult,
    })),
  ...(all.length > 1 ? growth : []),
];
for (const { what, limit, measured } of bars) {
  process.stdout.write(`${what}: ${measured.toFixed(2)}, bar ${limit}: ${measured <= limit ? "met" : "MISSED"}\n`);
}
process.exitCode = bars.every(({ limit, measured }) => measured <= limit) ? 0 : 1;

function seedOf(vms: number): object {
  const guests = Array.from({ length: vms }, (_, index) => {
    const vmid = 1_000 + index;
    const unique = String(vmid).padStart(12, "0");
    const mac = unique.slice(-6).replace(/(..)(..)(..)/, "$1:$2:$3");
    const config = {
      name: `vm-${index}`,
      cores: 2,
      memory: 2048,
      scsihw: "virtio-scsi-single",
      scsi0: `ceph:vm-${vmid}-disk-0,iothread=1,size=8G`,
      net0: `virtio=BC:24:11:${mac},bridge=vmbr0`,
      boot: "order=scsi0",
      smbios1: `uuid=00000000-0000-4000-8000-${unique}`,
      vmgenid: `00000000-0000-4000-9000-${unique}`,
    };
    return { vmid, node: nodes[index % nodes.length], config };
  });
  return { ...defaultSeed(nodes), guests };
}

async function measure(cluster: Cluster, vms: number): Promise<Figures> {
  const first = await connect(cluster);
  const imported: Instance[] = [];
  await inParallel(vms, async (index) => {
    imported[index] = await first.core.resource("proxmox_vm").import({ id: String(1_000 + index) });
  });
  await first.provider.stop();

  const { provider, core } = await connect(cluster);
  await cluster.takeCalls();
  const vm = core.resource("proxmox_vm");
  await inParallel(vms, async (index) => {
    const { action } = await vm.plan(await vm.refresh(imported[index] as Instance), { name: `vm-${index}` });
    if (action !== "no-op") throw new Error(`the plan of VM ${index} is not empty: ${action}`);
  });
  const calls = Object.values(await cluster.takeCalls()).reduce((sum, count) => sum + count, 0);
  const usage = usageOf(provider.process.pid ?? 0) ?? { cpuSeconds: Number.NaN, peakBytes: Number.NaN };
  await provider.stop();
  return { vms, calls, ...usage, firstResult: await firstResult(cluster) };
}

async function firstResult(cluster: Cluster): Promise<number> {
  const { provider } = await connect(cluster);
  const begun = performance.now();
  let seconds = Number.NaN;
  for await (const _ of stream(provider, {}, { withObjects: true, limit: 10_000 })) {
    seconds = (performance.now() - begun) / 1_000;
    break;
  }
  await provider.stop();
  return seconds;
}

async function connect({ port, token, caFile }: Cluster): Promise<{ provider: Launched; core: Core }> {
  const provider = await launch(command, { client: clientCertificate() });
  const core = await Core.connect(provider.wire, provider.process);
  await core.configure({
    endpoint: `https://127.0.0.1:${port}`,
    api_token: token,
    ca_certificate: readFileSync(caFile, "utf8"),
  });
  return { provider, core };
}

async function inParallel(count: number, work: (index: number) => Promise<void>): Promise<void> {
  let next = 0;
  const worker = async () => {
    while (next < count) await work(next++);
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
}

function line({ vms, calls, cpuSeconds, peakBytes, firstResult: first }: Figures): string {
  const memory = `${(peakBytes / 1e6).toFixed(0)} MB`;
  return `${vms} VMs on ${nodes.length} nodes: ${calls} calls, ${cpuSeconds.toFixed(2)} s of processor time, ${memory}, first result of a query after ${first.toFixed(2)} s`;
}
