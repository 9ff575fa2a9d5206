import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { clientCertificate } from "../../test/harness/client-certificate.ts";
import { cookie } from "../../test/harness/launch.ts";

const runs = Number(process.env["RUNS"] ?? 21);

/** Settings for other Node programs are not measured. */
const { NODE_EXTRA_CA_CERTS: _, NODE_OPTIONS: __, ...rest } = process.env;
export const environment: NodeJS.ProcessEnv = rest;

/** Milliseconds, one measurement. */
export type Measure = () => number | Promise<number>;

/** Medians of measurements in turns, so that a busy moment of the machine affects all of them alike. */
export async function medians(measures: ReadonlyMap<string, Measure>): Promise<Map<string, number>> {
  const times = new Map([...measures.keys()].map((name): [string, number[]] => [name, []]));
  for (const measure of measures.values()) await measure(); // the first one warms the disk cache
  for (let run = 0; run < runs; run++) {
    for (const [name, measure] of measures) times.get(name)?.push(await measure());
  }
  return new Map([...times].map(([name, all]) => [name, all.sort((a, b) => a - b)[runs >> 1] ?? Number.NaN]));
}

/** From its start to its end. */
export async function command(path: string, ...args: string[]): Promise<number> {
  const begun = performance.now();
  await once(spawn(path, args, { env: environment, stdio: "ignore" }), "exit");
  return performance.now() - begun;
}

export const emptyNode = (): Promise<number> => command(process.execPath, "-e", "0");

const client = clientCertificate();

/** Starts a provider as Terraform does; resolves after its handshake line. */
async function startProvider(path: string): Promise<ChildProcess> {
  const env = { ...environment, ...cookie, PLUGIN_PROTOCOL_VERSIONS: "5,6", PLUGIN_CLIENT_CERT: client.certificate };
  const child: ChildProcess = spawn(path, { env, stdio: ["ignore", "pipe", "ignore"] });
  if (child.stdout) await once(child.stdout, "data");
  return child;
}

async function end(child: ChildProcess): Promise<void> {
  child.kill("SIGKILL");
  await once(child, "exit");
}

export async function handshake(path: string): Promise<number> {
  const begun = performance.now();
  const child = await startProvider(path);
  const time = performance.now() - begun;
  await end(child);
  return time;
}

/** Resident memory in MB of a provider before its first call. */
export async function idleMemory(path: string): Promise<number> {
  const child = await startProvider(path);
  await sleep(500); // what is loaded after the handshake
  const kilobytes = execFileSync("ps", ["-o", "rss=", "-p", String(child.pid)], { encoding: "utf8" });
  await end(child);
  return (Number(kilobytes) * 1_024) / 1_000_000;
}

/** Each time with its ratio to the others. */
export function print(what: string, times: ReadonlyMap<string, number>): void {
  for (const [name, time] of times) {
    const ratios = [...times].flatMap(([other, base]) =>
      other === name ? [] : [`${(time / base).toFixed(2)} × ${other}`],
    );
    process.stdout.write(
      `${what.padEnd(16)}${name.padEnd(20)}${`${time.toFixed(1)} ms`.padStart(10)}   ${ratios.join("   ")}\n`,
    );
  }
}
