import type { CommandContext } from "../command-context.ts";
import { connect } from "../connect.ts";
import { interruptible, unlessInterrupted } from "../interrupt.ts";
import { jsonLine } from "../json-line.ts";
import { progressOf } from "../progress.ts";
import { runCommand, UsageError } from "../run-command.ts";
import { writeOutput } from "../write-output.ts";
import { fitSeed } from "./fit-seed.ts";
import { type Exported, readCluster } from "./read-cluster.ts";
import { redact } from "./redact.ts";

const usage = `Usage: export --out FILE [options]

Reads a whole cluster and writes it as a seed of the simulator: nodes, storages and what they hold, guests with their
configuration, users, roles and rights without secrets, networks, SDN, firewall, HA, pools, jobs. Sends GET requests
only. \`simulate --seed FILE\` then starts a copy.

  --out FILE        Write to this file, which must not exist; - for the terminal.
  --force           Write it even if it exists.
  --redact          Replace names, addresses, descriptions and file names, each everywhere by the same other one: for bug
                    reports.
  --json            Print one JSON object when done: the file, what was found, and what could not be seen.

Reads the same variables as the provider. A user with the role PVEAuditor on / sees almost everything; what could not be
seen is listed. Passwords, keys and the secrets of tokens are never in the file; tokens get new ones. Storages get the speed that they had
in past clones, moves and backups, as far as the logs of those tasks show.

Exit code: 0 if the file is written, 1 if the cluster cannot be read, 2 if the arguments are invalid.
`;

const options = {
  out: { type: "string" },
  force: { type: "boolean" },
  redact: { type: "boolean" },
  json: { type: "boolean" },
} as const;

interface ExportOptions {
  readonly out?: string | undefined;
  readonly force?: boolean | undefined;
  readonly redact?: boolean | undefined;
  readonly json?: boolean | undefined;
}

/** `export`: resolves to the exit code. */
export async function run(args: string[], context: CommandContext = process): Promise<number> {
  const act = (chosen: ExportOptions) => interruptible((signal) => write(chosen, context, signal));
  return runCommand(args, { usage, options, act }, context);
}

async function write(
  { out, force, redact: isRedacted, json }: ExportOptions,
  context: CommandContext,
  signal: AbortSignal,
): Promise<number> {
  const { stdout, stderr } = context;
  if (out === undefined) throw new UsageError("--out FILE says where the export goes; --help lists the options.");
  const exported = await unlessInterrupted(signal, readEnvironment(context));
  const { seed, left } = fitSeed(isRedacted ? redact(exported.seed) : exported.seed);
  const text = `${JSON.stringify(seed, null, 2)}\n`;
  if (out === "-") stdout.write(text);
  else writeOutput(out, text, { force, mode: 0o600 });
  const unseen = [...exported.unseen, ...left];
  if (json) {
    const speeds = isRedacted ? [] : exported.speeds;
    (out === "-" ? stderr : stdout).write(jsonLine({ file: out, found: counts(seed), speeds, unseen }));
    return 0;
  }
  for (const { path, reason } of unseen) stderr.write(`Not in the export: ${path}: ${reason}\n`);
  if (out !== "-") stdout.write(`${out}: ${summary(seed)}. Next: simulate --seed ${out}\n`);
  return 0;
}

export async function readEnvironment(context: CommandContext): Promise<Exported> {
  const client = connect(context.env);
  try {
    return await readCluster(client, progressOf(context));
  } finally {
    await client.close();
  }
}

const counted = ["nodes", "storages", "guests", "users", "pools"] as const;

const counts = (seed: Readonly<Record<string, unknown>>): Record<string, number> =>
  Object.fromEntries(counted.map((name) => [name, ((seed[name] ?? []) as readonly unknown[]).length]));

const summary = (seed: Readonly<Record<string, unknown>>): string =>
  Object.entries(counts(seed))
    .map(([name, count]) => `${count} ${count === 1 ? name.slice(0, -1) : name}`)
    .join(", ");
