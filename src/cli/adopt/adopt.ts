import { resolve } from "node:path";
import type { CommandContext } from "../command-context.ts";
import { connect } from "../connect.ts";
import { readCluster } from "../export/read-cluster.ts";
import { interruptible, unlessInterrupted } from "../interrupt.ts";
import { jsonLine } from "../json-line.ts";
import { LocalProvider } from "../local-provider.ts";
import { progressOf } from "../progress.ts";
import { runCommand, UsageError } from "../run-command.ts";
import { writeFolder } from "../write-output.ts";
import { type Adopted, collect } from "./collect.ts";
import { configurationOf } from "./configuration.ts";
import { areaFilter, areas, type Filters, isSelected, requireKnown } from "./filters.ts";
import { linesLeftOut } from "./left-out.ts";
import { withOneOwner } from "./one-owner.ts";
import { withReferences } from "./references.ts";
import { inTables } from "./tables.ts";
import { type Verdict, verify } from "./verify.ts";

const usage = `Usage: adopt --out FOLDER [options]

Reads a whole cluster and writes the configuration that takes it over: an \`import\` block and the smallest resource for
everything that the provider manages, in a file for each area, with references between them. Then it plans that
configuration and says whether the plan is empty. Nothing on the cluster is changed.

  --out FOLDER      Write to this folder; no file in it is overwritten.
  --area A,B        Only these areas: ${areas.join(", ")}.
  --node NODE       Only what belongs to this node.
  --pool POOL       Only this pool, and guests in it.
  --tags A,B        Only guests that have all these tags.
  --for-each        Write objects that differ in a few values only as one resource with \`for_each\`.
  --no-plan         Do not run Terraform.
  --json            Print one JSON object: the files, the number of objects, the plan, and what was left out.

Reads the same variables as the provider, and sends GET requests only.

Exit code: 0 if the plan is empty (or was not made), 1 if it is not or the cluster cannot be read, 2 if the arguments are
invalid.
`;

const options = {
  out: { type: "string" },
  area: { type: "string" },
  node: { type: "string" },
  pool: { type: "string" },
  tags: { type: "string" },
  "for-each": { type: "boolean" },
  "no-plan": { type: "boolean" },
  json: { type: "boolean" },
} as const;

interface AdoptOptions extends Filters {
  readonly out?: string | undefined;
  readonly "for-each"?: boolean | undefined;
  readonly "no-plan"?: boolean | undefined;
  readonly json?: boolean | undefined;
}

/** `adopt`: resolves to the exit code. */
export async function run(args: string[], context: CommandContext = process): Promise<number> {
  const adopt = (chosen: AdoptOptions) => interruptible((signal) => act(chosen, context, signal));
  return runCommand(args, { usage, options, act: adopt }, context);
}

async function act(chosen: AdoptOptions, context: CommandContext, signal: AbortSignal): Promise<number> {
  const { stdout, stderr, env } = context;
  const { out } = chosen;
  if (out === undefined)
    throw new UsageError("--out FOLDER says where the configuration goes; --help lists the options.");
  const progress = progressOf(context);
  const { seed, unseen, adopted, problems } = await unlessInterrupted(signal, readAll(env, chosen, progress));
  const wanted = withOneOwner(adopted.filter((one) => isSelected(one, chosen)));
  const selected = withReferences(chosen["for-each"] ? inTables(wanted) : wanted);
  if (selected.length === 0) {
    const isFiltered = adopted.length > 0;
    stderr.write(
      isFiltered
        ? `None of ${adopted.length} objects is of that area and has that node, pool and tags.\n`
        : "Nothing to take over is visible. `doctor` shows whether a privilege is missing.\n",
    );
    return 1;
  }
  const { files, variables } = configurationOf(selected);
  writeFolder(out, files);
  progress("Planning");
  const plan: Verdict = chosen["no-plan"] ? { kind: "not made" } : await verify(resolve(out), env, variables, signal);
  const left = linesLeftOut(seed, unseen, problems, [...variables.keys()]);
  if (chosen.json)
    stdout.write(jsonLine({ folder: out, files: [...files.keys()], objects: selected.length, plan, left }));
  else stdout.write(describe(out, selected, [...files.keys()], plan, left));
  return plan.kind === "empty" || plan.kind === "not made" ? 0 : 1;
}

/** The cluster as an export has it, and as the provider shows it. */
async function readAll(env: CommandContext["env"], filters: Filters, progress: (line: string) => void) {
  const isWanted = areaFilter(filters.area);
  const client = connect(env);
  const exported = await readCluster(client, progress).finally(() => client.close());
  requireKnown(filters, exported.seed);
  const provider = await LocalProvider.open(env);
  try {
    return { ...exported, ...(await collect(provider, exported.seed, isWanted, progress)) };
  } finally {
    await provider.close();
  }
}

function describe(
  folder: string,
  adopted: readonly Adopted[],
  files: readonly string[],
  plan: Verdict,
  left: readonly string[],
): string {
  return [
    `${folder}: ${adopted.length} objects in ${files.join(", ")}.`,
    `Left out:\n${left.map((line) => `  ${line}`).join("\n")}`,
    verdict(plan),
    "",
  ].join("\n");
}

function verdict(plan: Verdict): string {
  if (plan.kind === "empty")
    return `The plan is empty: ${plan.imports} to import, nothing to change. Next: terraform apply.`;
  if (plan.kind === "not made") return "No plan was made. Next: terraform init, terraform plan.";
  const lines = plan.kind === "failed" ? plan.problems : plan.changes;
  const what = plan.kind === "failed" ? "The plan failed" : "The plan would change";
  return `${what}:\n${lines.map((line) => `  ${line}`).join("\n")}`;
}
