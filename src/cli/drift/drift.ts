import { readFileSync } from "node:fs";
import type { CommandContext } from "../command-context.ts";
import { readEnvironment } from "../export/export.ts";
import { fitSeed } from "../export/fit-seed.ts";
import type { Fields } from "../export/reader.ts";
import { interruptible, unlessInterrupted } from "../interrupt.ts";
import { runCommand, UsageError } from "../run-command.ts";
import { compare, inOrder } from "./compare.ts";
import { formats } from "./formats.ts";
import { type Objects, objectsOf } from "./objects.ts";
import { isHidden } from "./unseen.ts";

const usage = `Usage: drift --since FILE [options]
       drift --state FILE [options]

Compares the cluster with an earlier export, or with a state of Terraform: what was added, removed and changed since.

  --since FILE      A file that \`export\` has written, without --redact.
  --state FILE      A state; - reads it from the standard input: terraform state pull | … drift --state -
  --format FORMAT   text, json or junit; default: text.
  --json            The same as --format json.

Ignores what changes on its own: free space, figures, locks, backups, and the node of guests that HA moves. Reads the same
variables as the provider, and sends GET requests only.

Exit code: 0 if nothing differs, 2 if something does, 1 if the comparison could not be made or there was nothing to compare.
`;

const options = {
  since: { type: "string" },
  state: { type: "string" },
  format: { type: "string" },
  json: { type: "boolean" },
} as const;

interface DriftOptions {
  readonly since?: string | undefined;
  readonly state?: string | undefined;
  readonly format?: string | undefined;
  readonly json?: boolean | undefined;
}

/** `drift`: resolves to the exit code. */
export async function run(args: string[], context: CommandContext = process): Promise<number> {
  const compareNow = (chosen: DriftOptions) =>
    interruptible((signal) => unlessInterrupted(signal, act(chosen, context)));
  const code = await runCommand(args, { usage, options, act: compareNow }, context);
  // As with `terraform plan -detailed-exitcode`, 2 says that something differs.
  return code === invalid ? 1 : code === differs ? 2 : code;
}

const invalid = 2;
const differs = 3;

async function act(
  { since, state, json, format = json ? "json" : "text" }: DriftOptions,
  context: CommandContext,
): Promise<number> {
  if (!Object.hasOwn(formats, format)) throw new UsageError(`--format must be text, json or junit, not '${format}'.`);
  if ((since === undefined) === (state === undefined)) {
    throw new UsageError("Give either --since FILE or --state FILE; --help explains both.");
  }
  const { before, after, isKnown } =
    since === undefined
      ? await (await import("./state.ts")).compareState(readText(state ?? "", "state"), context)
      : await compareExport(readExport(since), context);
  const differences = compare(before, after, isKnown, since === undefined ? asItIs : inOrder);
  const objects = [...new Set([...before.keys(), ...after.keys()])].filter(isKnown).sort();
  context.stdout.write(formats[format as keyof typeof formats](differences, objects));
  return differences.length === 0 ? 0 : differs;
}

const asItIs = (value: unknown): unknown => value;

export interface Compared {
  readonly before: Objects;
  readonly after: Objects;
  /** Whether an object could be read. */
  isKnown(object: string): boolean;
}

async function compareExport(earlier: Fields, context: CommandContext): Promise<Compared> {
  const { stderr } = context;
  const read = await readEnvironment(context);
  // What an export cannot hold is missing in the file, too.
  const { seed, left } = fitSeed(read.seed);
  const unseen = [...read.unseen, ...left];
  for (const { path, reason } of unseen) stderr.write(`Not compared: ${path}: ${reason}\n`);
  const offline = new Set(
    (seed["nodes"] as readonly Fields[]).filter(({ status }) => status === "offline").map(({ name }) => name),
  );
  const guests = [...((earlier["guests"] ?? []) as readonly Fields[])].filter(({ node }) => offline.has(node));
  const lost = new Set(guests.flatMap(({ vmid }) => [`VM ${vmid}`, `container ${vmid}`, `firewall of guest ${vmid}`]));
  // An offline node is one of those.
  const hidden = isHidden(unseen);
  return {
    before: objectsOf(earlier),
    after: objectsOf(seed),
    isKnown: (object) => !lost.has(object) && !hidden(object),
  };
}

function readExport(file: string): Fields {
  const text = readText(file, "export");
  let seed: Fields;
  try {
    seed = JSON.parse(text) as Fields;
  } catch (thrown) {
    throw new UsageError(`'${file}' is not an export: ${(thrown as Error).message}.`);
  }
  if (seed?.["format"] !== 1 || !Array.isArray(seed["nodes"])) throw new UsageError(`'${file}' is not an export.`);
  return seed;
}

function readText(file: string, what: string): string {
  try {
    return readFileSync(file === "-" ? 0 : file, "utf8");
  } catch (thrown) {
    throw new UsageError(`The ${what} '${file}' cannot be read: ${(thrown as NodeJS.ErrnoException).code}.`);
  }
}
