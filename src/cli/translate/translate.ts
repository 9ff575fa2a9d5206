import type { CommandContext } from "../command-context.ts";
import { interruptible } from "../interrupt.ts";
import { jsonLine } from "../json-line.ts";
import { progressOf } from "../progress.ts";
import { ProviderProblem, runCommand, UsageError } from "../run-command.ts";
import { checkEmpty, readFolder, writeFolder } from "./folder.ts";
import { notRead } from "./not-read.ts";
import type { Note } from "./notes.ts";
import { sources } from "./tables.ts";
import { type Counts, type TranslatedFolder, translateFolder, UnreadableFile } from "./translate-folder.ts";

const usage = `Usage: translate FOLDER --out FOLDER [--json]

Translates a configuration written for bpg/proxmox or Telmate/proxmox: resources, data sources and references to them, the
provider, and \`moved\` blocks that bring the state over. Modules in folders below are translated, too. Expressions, for_each,
dynamic blocks and comments stay; everything else is copied.

  --out FOLDER      Write to this folder, which must not exist or be empty.
  --json            Print one JSON object: the counts, and what was left out or has to be done by hand.

What has no counterpart is listed with its file and line, and leaves a comment in the output that starts with "TODO".
Neither the old folder nor a cluster is changed.

Exit code: 0 if the new folder was written, 1 if the configuration cannot be read, 2 if the arguments are invalid.
`;

const options = { out: { type: "string" }, json: { type: "boolean" } } as const;

interface TranslateOptions {
  readonly out?: string | undefined;
  readonly json?: boolean | undefined;
}

/** `translate`: resolves to the exit code. */
export async function run(args: string[], context: CommandContext = process): Promise<number> {
  const act = (chosen: TranslateOptions, folders: readonly string[]) => translate(chosen, folders, context);
  return runCommand(args, { usage, options, allowPositionals: true, act }, context);
}

async function translate(
  { out, json }: TranslateOptions,
  [folder, ...more]: readonly string[],
  context: CommandContext,
): Promise<number> {
  if (folder === undefined || more.length > 0)
    throw new UsageError("Give one folder with a configuration; see --help.");
  if (out === undefined)
    throw new UsageError("--out FOLDER says where the translation goes; --help lists the options.");
  checkEmpty(out);
  const all = readFolder(folder, out);
  const isConfiguration = (path: string) => /\.(tf|tofu)$/.test(path);
  const texts = new Map(
    [...all].filter(([path]) => isConfiguration(path)).map(([path, bytes]) => [path, bytes.toString("utf8")]),
  );
  if (texts.size === 0) throw new UsageError(nothingToRead(folder, [...all.keys()]));
  // A process that computes hears no signal, so Ctrl-C ends it as the system does: nothing has been written yet.
  const result = await translateFolder(texts, progressOf(context)).catch((thrown: unknown) => {
    throw thrown instanceof UnreadableFile ? new ProviderProblem(`${thrown.message} Nothing was written.`) : thrown;
  });
  const { stdout } = context;
  const notes = [...result.notes, ...notRead(all)];
  if (result.counts.objects === 0 && result.counts.peers.length === 0)
    throw new ProviderProblem(`'${folder}' uses neither bpg/proxmox nor Telmate/proxmox. Nothing was written.`);
  await interruptible(async () => writeFolder(out, new Map<string, string | Buffer>([...all, ...result.files])));
  const byHand = notes.filter(({ level }) => level === "hand");
  const leftOut = notes.filter(({ level }) => level === "left");
  if (json)
    stdout.write(jsonLine({ folder: out, counts: result.counts, byHand: plain(byHand), leftOut: plain(leftOut) }));
  else stdout.write(describe(out, result, byHand, leftOut));
  return 0;
}

function nothingToRead(folder: string, paths: readonly string[]): string {
  const json = paths.filter((path) => /\.(tf|tofu)\.json$/.test(path));
  if (json.length === 0) return `'${folder}' contains no configuration: there is no file *.tf.`;
  return `'${folder}' contains configuration in JSON only (${json.join(", ")}), which is not translated. Generate it again with the bindings of this provider (CDK Terrain, CDKTF), or write it in HCL.`;
}

const plain = (notes: readonly Note[]) => notes.map(({ file, line, what, todo }) => ({ file, line, what, todo }));

function describe(
  out: string,
  { counts }: TranslatedFolder,
  byHand: readonly Note[],
  leftOut: readonly Note[],
): string {
  const list = (title: string, notes: readonly Note[]): string[] =>
    notes.length === 0
      ? []
      : [title, ...notes.map(({ file, line, what, todo }) => `  ${file}:${line}: ${what}: ${todo}`), ""];
  return [
    summary(out, counts),
    "",
    ...list("By hand:", byHand),
    ...list("Left out, nothing to do:", leftOut),
    `Next: copy the state to ${out} if it is a local one, then run terraform init and terraform plan there.`,
    'The plan must show "has moved to" and no change.',
    "",
  ].join("\n");
}

function summary(out: string, { files, objects, translated, complete, stay, peers }: Counts): string {
  const origin = peers.map((peer) => sources[peer]).join(" and ");
  const rest = stay === 0 ? "" : `; ${stay} ${stay === 1 ? "stays with its" : "stay with their"} provider`;
  const shown = `${files} ${files === 1 ? "file" : "files"} with ${objects} ${objects === 1 ? "resource or data source" : "resources and data sources"}`;
  return `${out}: ${shown} of ${origin}: ${translated} translated, ${complete} of them without anything to do by hand${rest}.`;
}
