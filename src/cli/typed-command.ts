import { type ParseArgsOptionsConfig, parseArgs } from "node:util";
import { isPveError } from "#pve";
import type { Surroundings } from "./surroundings.ts";

/** The command was typed wrongly: told in one sentence, and the exit code is 2. */
export class UsageError extends Error {}

type Values<T extends ParseArgsOptionsConfig> = ReturnType<typeof parseArgs<{ options: T }>>["values"];

interface TypedCommand<T extends ParseArgsOptionsConfig> {
  /** What `--help` prints. */
  readonly usage: string;
  readonly options: T;
  /** Resolves to the exit code. */
  act(values: Values<T>): Promise<number>;
}

/** What all commands for people share: `--help`, and what goes wrong told in a sentence rather than a stack trace. */
export async function runTyped<const T extends ParseArgsOptionsConfig>(
  args: readonly string[],
  { usage, options, act }: TypedCommand<T>,
  { stdout, stderr }: Surroundings,
): Promise<number> {
  if (args.includes("--help") || args.includes("-h")) {
    stdout.write(usage);
    return 0;
  }
  try {
    return await act(parse(args, options));
  } catch (thrown) {
    if (thrown instanceof UsageError) {
      stderr.write(`${thrown.message}\n`);
      return 2;
    }
    if (!isPveError(thrown)) throw thrown;
    stderr.write(`The cluster cannot be asked: ${thrown.message}. \`doctor\` finds out why.\n`);
    return 1;
  }
}

function parse<T extends ParseArgsOptionsConfig>(args: readonly string[], options: T): Values<T> {
  try {
    return parseArgs({ args: [...args], strict: true, options }).values;
  } catch (thrown) {
    const [sentence = ""] = (thrown as Error).message.split(/\.(?:\s|$)/);
    throw new UsageError(`${sentence}; --help lists the options.`);
  }
}
