import { type ChildProcess, execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { Agent, get } from "node:https";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { defaultSeed, startSimulator } from "#simulator";
import { type LoadReport, mixedLoad, type Target } from "../../test/contract/simulator/mixed-load.ts";

/**
 * How fast the simulator starts and responds, and whether it handles many clients, many VMs and many requests. It runs
 * as a separate process on one core, so that its time and memory are measured apart from the clients'. Linux only: both
 * are read from /proc. Exits with 1 when a limit is missed.
 */
const bars = { startMilliseconds: 300, configsPerSecond: 2000, memoryGrowth: 1.1 };
const root = join(import.meta.dirname, "../..");
const sources = [process.execPath, join(root, "src/main.ts")];
const binary = [join(root, "dist/terraform-provider-proxmox")];
const token = "root@pam!admin";
const clockTicksPerSecond = 100;
/** The history of tasks is full after these. */
const fillingRounds = 2;
const folder = mkdtempSync(join(tmpdir(), "bench-simulator-"));
process.once("exit", () => rmSync(folder, { recursive: true, force: true }));

interface Server extends Target {
  readonly child: ChildProcess;
  readonly startMilliseconds: number;
  cpuSeconds(): number;
  memoryMebibytes(): number;
}

const canPin = availableParallelism() > 1 && spawnSync("taskset", ["-V"]).status === 0;

async function start(command: readonly string[], ...options: string[]): Promise<Server> {
  const pinned = [
    ...(canPin ? ["taskset", "-c", "0"] : []),
    ...command,
    "simulate",
    "--tidy",
    "--port",
    "0",
    "--json",
    ...options,
  ];
  const [file = "", ...args] = pinned;
  const begun = performance.now();
  const child = spawn(file, args, { stdio: ["ignore", "pipe", "inherit"] });
  const [line] = (await once(child.stdout, "data")) as [Buffer];
  const startMilliseconds = performance.now() - begun;
  const { url, ca_file, tokens } = JSON.parse(line.toString("utf8")) as {
    url: string;
    ca_file: string;
    tokens: Record<string, string>;
  };
  const proc = (name: string) => readFileSync(`/proc/${child.pid}/${name}`, "utf8");
  return {
    url,
    caCertificate: readFileSync(ca_file, "utf8"),
    token: tokens[token] ?? "",
    child,
    startMilliseconds,
    cpuSeconds: () => {
      const [userTicks = 0, systemTicks = 0] = proc("stat").replace(/.*\) /, "").split(" ").slice(11, 13).map(Number);
      return (userTicks + systemTicks) / clockTicksPerSecond;
    },
    memoryMebibytes: () => Number(/VmRSS:\s+(\d+)/.exec(proc("status"))?.[1]) / 1024,
  };
}

async function stop({ child }: Server): Promise<void> {
  child.kill();
  await once(child, "exit");
}

function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[values.length >> 1] ?? Number.NaN;
}

/** Medians of measurements in turns, so that a busy moment of the machine affects all of them alike. */
async function measureStarts(): Promise<{ empty: number; fromSources: number; fromBinary: number }> {
  const times = { empty: [] as number[], fromSources: [] as number[], fromBinary: [] as number[] };
  for (let run = 0; run < 5; run++) {
    const begun = performance.now();
    await once(spawn(process.execPath, ["-e", "0"]), "exit");
    times.empty.push(performance.now() - begun);
    for (const [name, command] of [["fromSources", sources] as const, ["fromBinary", binary] as const]) {
      const server = await start(command);
      times[name].push(server.startMilliseconds);
      await stop(server);
    }
  }
  const { empty, fromSources, fromBinary } = times;
  return { empty: median(empty), fromSources: median(fromSources), fromBinary: median(fromBinary) };
}

/** Reads a path repeatedly over kept connections; returns the milliseconds of each response. */
async function read(server: Server, path: string, count: number, connections: number): Promise<number[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections, ca: server.caCertificate });
  const options = { agent, headers: { Authorization: `PVEAPIToken=${server.token}` } };
  const times: number[] = [];
  let left = count;
  const reader = async () => {
    while (left-- > 0) {
      const begun = performance.now();
      const status = await new Promise((resolve, reject) => {
        get(`${server.url}/api2/json${path}`, options, (incoming) => {
          incoming.resume().on("end", () => resolve(incoming.statusCode));
        }).on("error", reject);
      });
      if (status !== 200) {
        throw new Error(`GET ${path}: ${status}`);
      }
      times.push(performance.now() - begun);
    }
  };
  await Promise.all(Array.from({ length: connections }, reader));
  agent.destroy();
  return times;
}

async function measureReads(): Promise<{ perSecond: number; perCpuSecond: number }> {
  const server = await start(sources);
  const config = "/nodes/pve1/qemu/9000/config";
  await read(server, config, 5000, 8);
  const requests = 20_000;
  const [wall, cpu] = [performance.now(), server.cpuSeconds()];
  await read(server, config, requests, 8);
  const perSecond = requests / ((performance.now() - wall) / 1000);
  const perCpuSecond = requests / (server.cpuSeconds() - cpu);
  await stop(server);
  return { perSecond, perCpuSecond };
}

interface LoadResult {
  readonly report: LoadReport;
  readonly seconds: number;
  /** Mebibytes in use after a garbage collection. */
  readonly before: number;
  readonly after: number;
}

/**
 * The same load repeatedly: the first rounds fill the caches and the task history, the last must find room there. In
 * this process, because the heap size of another process says more about the collector than about the data.
 */
async function measureLoad(clients: number, requests: number): Promise<LoadResult> {
  const simulator = await startSimulator({ speed: 100, tidy: true });
  const target = { ...simulator, token: simulator.tokens[token] ?? "" };
  for (let round = 0; round < fillingRounds; round++) {
    await mixedLoad(target, { clients, requests });
  }
  const before = heapMebibytes();
  const begun = performance.now();
  const report = await mixedLoad(target, { clients, requests });
  const seconds = (performance.now() - begun) / 1000;
  const after = heapMebibytes();
  await simulator.close();
  return { report, seconds, before, after };
}

function heapMebibytes(): number {
  setFlagsFromString("--expose-gc");
  runInNewContext("gc")();
  return process.memoryUsage().heapUsed / 2 ** 20;
}

async function measureMany(vms: number): Promise<{ start: number; memory: number; list: number; config: number }> {
  const seed = defaultSeed() as { guests: object[] };
  const vm = (index: number) => ({
    vmid: 10_000 + index,
    node: `pve${1 + (index % 3)}`,
    running: index % 2,
    config: {
      name: `vm-${index}`,
      cores: 2,
      memory: 2048,
      tags: "bench",
      scsi0: `ceph:vm-${10_000 + index}-disk-0,size=32G`,
      net0: "virtio,bridge=vmbr0",
      boot: "order=scsi0",
    },
  });
  const file = join(folder, "seed.json");
  writeFileSync(
    file,
    JSON.stringify({ ...seed, guests: [...seed.guests, ...Array.from({ length: vms }, (_, i) => vm(i))] }),
  );
  const server = await start(sources, "--seed", file);
  await read(server, "/cluster/resources", 5, 1);
  const list = median(await read(server, "/cluster/resources", 21, 1));
  const config = median(await read(server, "/nodes/pve1/qemu/10000/config", 200, 1));
  const result = { start: server.startMilliseconds, memory: server.memoryMebibytes(), list, config };
  await stop(server);
  return result;
}

let isMissed = false;

function say(what: string, figures: string, isMet?: boolean): void {
  isMissed ||= isMet === false;
  const verdict = isMet === undefined ? "" : isMet ? "   met" : "   MISSED";
  process.stdout.write(`${what.padEnd(22)}${figures}${verdict}\n`);
}

execFileSync(process.execPath, [join(root, "scripts/build.ts")], { stdio: ["ignore", "ignore", "inherit"] });
const starts = await measureStarts();
say("node -e 0", `${starts.empty.toFixed(0)} ms`);
for (const [name, time] of [
  ["start, binary", starts.fromBinary] as const,
  ["start, sources", starts.fromSources] as const,
]) {
  const figures = `${time.toFixed(0)} ms, ${(time / starts.empty).toFixed(1)} × node -e 0`;
  say(name, figures, name === "start, binary" ? time < bars.startMilliseconds : undefined);
}

const reads = await measureReads();
const rates = `${reads.perSecond.toFixed(0)}/s as seen by the clients, ${reads.perCpuSecond.toFixed(0)} per second of its core`;
say("GET config", rates, reads.perCpuSecond >= bars.configsPerSecond);

const [clients, requests] = [50, 10_000];
const { report, seconds, before, after } = await measureLoad(clients, requests);
say(
  "load",
  `${clients} clients, ${requests} requests in ${seconds.toFixed(1)} s, ${(requests / seconds).toFixed(0)}/s`,
);
say("  races lost", `${Object.values(report.refusals).reduce((sum, count) => sum + count, 0)}`);
say("  faults", `${report.faults.length}`, report.faults.length === 0);
for (const fault of report.faults.slice(0, 20)) {
  say("", fault);
}
const growth = `${before.toFixed(1)} MiB in use after ${fillingRounds} such loads, ${after.toFixed(1)} MiB after one more`;
say("  memory", growth, after <= before * bars.memoryGrowth);

const vms = 5000;
const many = await measureMany(vms);
say(`${vms} VMs`, `start ${many.start.toFixed(0)} ms, ${many.memory.toFixed(0)} MiB`);
say("  /cluster/resources", `${many.list.toFixed(1)} ms`);
say("  GET config", `${many.config.toFixed(2)} ms`);
process.exitCode = isMissed ? 1 : 0;
