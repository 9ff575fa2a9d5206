import type { CommandContext } from "../command-context.ts";
import { interruptible } from "../interrupt.ts";
import { jsonLine } from "../json-line.ts";
import { progressOf } from "../progress.ts";
import { runCommand, UsageError } from "../run-command.ts";
import { rehearse } from "./rehearsal.ts";
import { describe, isClean } from "./report.ts";

const usage = `Usage: rehearse [options] [-- arguments of terraform plan]

Applies the configuration in this folder to a copy of the cluster, and reports what happened: each resource, the tasks,
failures, and whether a second plan is empty. The real cluster is only read, with GET requests, and the real state too:
the copy of both is removed at the end.

  --folder DIR      The configuration, initialised with \`terraform init\`; default: this folder.
  --allow NAME      Let this other provider really change what it manages, or let \`provisioners\` run (may be repeated).
                    Without it a plan that does so is refused.
  --speed N         Let time on the copy run N times as fast; default: 60.
  --json            Print one JSON object.

Example: rehearse -- -var-file=prod.tfvars

Reads the same variables as the provider, for the cluster to copy. Whatever endpoint a configuration names, the provider is
pointed at the copy, with the rights that the caller has on the real cluster. Times of tasks are
estimates: from the speed of each storage in past clones, moves and backups, as their logs show.

Exit code: 0 if the apply succeeds and a second plan is empty, 1 if not, 2 if the arguments are invalid.
`;

const options = {
  folder: { type: "string" },
  allow: { type: "string", multiple: true },
  speed: { type: "string" },
  json: { type: "boolean" },
} as const;

interface RehearseOptions {
  readonly folder?: string | undefined;
  readonly allow?: readonly string[] | undefined;
  readonly speed?: string | undefined;
  readonly json?: boolean | undefined;
}

/** `rehearse`: resolves to the exit code. */
export async function run(args: string[], context: CommandContext = process): Promise<number> {
  const end = args.indexOf("--");
  const own = end < 0 ? args : args.slice(0, end);
  const planArguments = end < 0 ? [] : args.slice(end + 1);
  const rehearseHere = (chosen: RehearseOptions) =>
    interruptible((signal) => act(chosen, planArguments, context, signal));
  return runCommand(own, { usage, options, act: rehearseHere }, context);
}

async function act(
  chosen: RehearseOptions,
  planArguments: readonly string[],
  context: CommandContext,
  signal: AbortSignal,
): Promise<number> {
  const { stdout, env } = context;
  const rehearsal = await rehearse({
    folder: chosen.folder ?? process.cwd(),
    env,
    speed: speedOf(chosen.speed),
    planArguments,
    allowed: chosen.allow ?? [],
    signal,
    progress: progressOf(context),
  });
  stdout.write(chosen.json ? jsonLine(rehearsal) : describe(rehearsal));
  return isClean(rehearsal) ? 0 : 1;
}

function speedOf(text = "60"): number {
  const speed = Number(text);
  if (!(speed > 0)) throw new UsageError(`--speed must be a number above 0, not '${text}'.`);
  return speed;
}
