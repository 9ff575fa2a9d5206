import { readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { privateFolder } from "#kit";
import {
  defaultNodes,
  defaultSeed,
  FaultError,
  type FaultOrder,
  parseFault,
  type Release,
  releases,
  SeedError,
  type Simulator,
  type SimulatorOptions,
  startSimulator,
  type World,
  withLeftovers,
} from "#simulator";

const defaultPort = 8006;
const saveEveryMilliseconds = 2000;

const usage = `Usage: simulate [options]

Simulates the Proxmox VE 9 API in this process.

  --port N          Listen on this port of 127.0.0.1; default: ${defaultPort}, 0 for a free one.
  --host ADDRESS    Listen on another address.
  --seed FILE       Start with the cluster described by this JSON file.
  --nodes A,B,C     Without a seed file: the names of the nodes (${defaultNodes.join(",")}).
  --leftovers       Without a seed file: add tags, notes and volumes as other tools leave them behind.
  --state FILE      Keep the cluster's state in this file, and continue from it if it exists.
  --speed N         Let time run N times as fast.
  --deterministic SEED
                    Derive MACs, UUIDs and time stamps from this text: the same calls give the same responses.
  --tidy            Fix the order of members and lists that Proxmox VE sends in random order.
  --untidy-seed SEED
                    Derive that random order from this text; default: UNTIDY_SEED of the environment.
  --pve RELEASE     Simulate this release of Proxmox VE: ${Object.keys(releases).join(", ")}.
  --fault FAULT     Order a fault, e.g. fail,task=qmclone,nth=2,text=out of space (may be repeated).
  --json            Print one line of JSON when ready.
`;

/** Streams and the signal that ends the command; those of the process by default. */
export interface CommandContext {
  readonly stdout: { write(text: string): unknown };
  readonly stderr: { write(text: string): unknown };
  /** Aborted to stop the simulator. */
  readonly signal?: AbortSignal;
}

class UsageError extends Error {}

/** `simulate`: serves until it is stopped. Resolves to the exit code. */
export async function run(args: string[], context: CommandContext = process): Promise<number> {
  try {
    const options = readOptions(args);
    if (options === undefined) {
      context.stdout.write(usage);
      return 0;
    }
    const simulator = await startSimulator(options.simulator);
    const caFile = writeCertificate(simulator);
    // A client that reads the ready line may stop the simulator at once.
    const stopped = untilStopped(simulator, options.stateFile, context.signal);
    announce(simulator, caFile, options.json, context);
    await stopped;
    return 0;
  } catch (thrown) {
    context.stderr.write(`${explain(thrown)}\n`);
    return thrown instanceof UsageError ? 2 : 1;
  }
}

interface Options {
  readonly simulator: SimulatorOptions;
  readonly stateFile: string | undefined;
  readonly json: boolean;
}

function readOptions(args: string[]): Options | undefined {
  const values = parse(args);
  if (values.help) {
    return undefined;
  }
  const nodes = values.nodes?.split(",") ?? defaultNodes;
  const seed = values.seed === undefined ? usualSeed(nodes, values.leftovers) : readJson(values.seed, "seed file");
  const world = values.state === undefined ? undefined : readState(values.state);
  return {
    simulator: {
      seed,
      ...(world === undefined ? {} : { world }),
      ...(values.host === undefined ? {} : { host: values.host }),
      port: wholeNumber(values.port ?? String(defaultPort), "--port", 65535),
      speed: speedOf(values.speed),
      ...(values.deterministic === undefined ? {} : { deterministic: values.deterministic }),
      ...(values.tidy === undefined ? {} : { tidy: values.tidy }),
      ...(values["untidy-seed"] === undefined ? {} : { untidySeed: values["untidy-seed"] }),
      ...(values.pve === undefined ? {} : { pve: releaseOf(values.pve) }),
      faults: (values.fault ?? []).map(faultOf),
    },
    stateFile: values.state,
    json: values.json ?? false,
  };
}

function usualSeed(nodes: readonly string[], hasLeftovers = false): object {
  return hasLeftovers ? withLeftovers(defaultSeed(nodes)) : defaultSeed(nodes);
}

function parse(args: string[]) {
  try {
    return parseArgs({
      args,
      strict: true,
      options: {
        port: { type: "string" },
        host: { type: "string" },
        seed: { type: "string" },
        nodes: { type: "string" },
        leftovers: { type: "boolean" },
        state: { type: "string" },
        speed: { type: "string" },
        deterministic: { type: "string" },
        tidy: { type: "boolean" },
        "untidy-seed": { type: "string" },
        pve: { type: "string" },
        fault: { type: "string", multiple: true },
        json: { type: "boolean" },
        help: { type: "boolean", short: "h" },
      },
    }).values;
  } catch (thrown) {
    throw new UsageError(`${(thrown as Error).message.split(".", 1)[0]}; --help lists the options.`);
  }
}

function wholeNumber(text: string, name: string, most: number): number {
  const number = Number(text);
  if (!Number.isInteger(number) || number < 0 || number > most) {
    throw new UsageError(`${name} must be a whole number from 0 to ${most}, not '${text}'.`);
  }
  return number;
}

function speedOf(text = "1"): number {
  const speed = Number(text);
  if (!(speed > 0)) {
    throw new UsageError(`--speed must be a number above 0, not '${text}'.`);
  }
  return speed;
}

function releaseOf(text: string): Release {
  if (!Object.hasOwn(releases, text)) {
    throw new UsageError(`--pve must be one of ${Object.keys(releases).join(", ")}, not '${text}'.`);
  }
  return text as Release;
}

function faultOf(text: string): FaultOrder {
  try {
    return parseFault(text);
  } catch (thrown) {
    throw new UsageError(`--fault '${text}' is not understood: ${(thrown as Error).message}.`);
  }
}

function readJson(file: string, what: string): unknown {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (thrown) {
    throw new UsageError(`The ${what} '${file}' cannot be read: ${(thrown as NodeJS.ErrnoException).code}.`);
  }
  try {
    return JSON.parse(text);
  } catch (thrown) {
    throw new UsageError(`The ${what} '${file}' is not JSON: ${(thrown as Error).message}.`);
  }
}

function readState(file: string): World | undefined {
  try {
    readFileSync(file);
  } catch {
    return undefined; // the first run
  }
  const world = readJson(file, "state file") as Partial<World> | null;
  if (world?.cluster === undefined || world.nodes === undefined || world.guests === undefined) {
    throw new UsageError(`The state file '${file}' was not written by this program.`);
  }
  return world as World;
}

/** Where clients find the certificate authority; a new one at each start. */
function writeCertificate(simulator: Simulator): string {
  const file = join(privateFolder(), `simulator-ca-${new URL(simulator.url).port}.pem`);
  replaceFile(file, simulator.caCertificate);
  return file;
}

/** Only for this user: a cluster's state contains its secrets. Written as a new file, so that a link there leads nowhere. */
function replaceFile(file: string, text: string): void {
  rmSync(`${file}.new`, { force: true });
  writeFileSync(`${file}.new`, text, { flag: "wx", mode: 0o600 });
  renameSync(`${file}.new`, file);
}

function announce(simulator: Simulator, caFile: string, json: boolean, { stdout }: CommandContext): void {
  const { url, tokens } = simulator;
  if (json) {
    stdout.write(`${JSON.stringify({ url, ca_file: caFile, tokens })}\n`);
    return;
  }
  const [first = ""] = Object.values(tokens).filter((token) => !token.startsWith("root@pam")) ?? [];
  stdout.write(
    [
      `Proxmox VE 9 simulator at ${url}`,
      `Watch it at ${url}/simulator/`,
      "",
      "Tokens:",
      ...Object.values(tokens).map((token) => `  ${token}`),
      "",
      "To use it:",
      `  export PROXMOX_VE_ENDPOINT=${url}/`,
      `  export PROXMOX_VE_API_TOKEN='${first || Object.values(tokens)[0] || ""}'`,
      `  export PROXMOX_VE_CA_CERTIFICATE=${caFile}`,
      `  export SSL_CERT_FILE=${caFile}`,
      "",
    ].join("\n"),
  );
}

/** Saves the state regularly if there is a file for it, and at the end. */
async function untilStopped(simulator: Simulator, stateFile: string | undefined, signal?: AbortSignal): Promise<void> {
  const save = () => {
    if (stateFile !== undefined) {
      replaceFile(stateFile, JSON.stringify(simulator.sim.world));
    }
  };
  const timer = setInterval(save, saveEveryMilliseconds);
  let stop: () => void = () => undefined;
  const stopped = new Promise<void>((resolve) => {
    stop = resolve;
  });
  signal?.addEventListener("abort", stop);
  process.on("SIGINT", stop).on("SIGTERM", stop);
  await stopped;
  process.off("SIGINT", stop).off("SIGTERM", stop);
  clearInterval(timer);
  save();
  await simulator.close();
}

function explain(thrown: unknown): string {
  if (thrown instanceof UsageError) {
    return thrown.message;
  }
  if (thrown instanceof SeedError) {
    return `The seed cannot be used: ${thrown.message}`;
  }
  if (thrown instanceof FaultError) {
    return `A fault cannot be ordered: ${thrown.message}`;
  }
  const { code, message, ...details } = thrown as NodeJS.ErrnoException & { port?: number };
  return code === "EADDRINUSE" ? `Port ${details.port} is in use; choose another with --port.` : message;
}
