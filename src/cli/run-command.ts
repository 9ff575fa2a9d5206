import { type ParseArgsOptionsConfig, parseArgs } from "node:util";
import { isPveError } from "#pve";
import type { CommandContext } from "./command-context.ts";

/** A problem that the provider reports, in its own words: exit code 1. */
export class ProviderProblem extends Error {}

/** Invalid arguments: reported in one sentence, with exit code 2. */
export class UsageError extends Error {}

type Values<T extends ParseArgsOptionsConfig> = ReturnType<typeof parseArgs<{ options: T }>>["values"];

interface CommandDefinition<T extends ParseArgsOptionsConfig> {
  /** What `--help` prints. */
  readonly usage: string;
  readonly options: T;
  /** Whether it takes arguments besides options. */
  readonly allowPositionals?: boolean;
  /** Resolves to the exit code. */
  act(values: Values<T>, positionals: readonly string[]): Promise<number>;
}

/** What all commands share: `--help`, and errors as a sentence instead of a stack trace. */
export async function runCommand<const T extends ParseArgsOptionsConfig>(
  args: readonly string[],
  { usage, options, act, allowPositionals = false }: CommandDefinition<T>,
  { stdout, stderr }: CommandContext,
): Promise<number> {
  if (args.includes("--help") || args.includes("-h")) {
    stdout.write(usage);
    return 0;
  }
  try {
    const { values, positionals } = parse(args, options, allowPositionals);
    return await act(values, positionals);
  } catch (thrown) {
    if (thrown instanceof UsageError) {
      stderr.write(`${thrown.message}\n`);
      return 2;
    }
    if (thrown instanceof ProviderProblem) {
      stderr.write(`${thrown.message}\n`);
      return 1;
    }
    if (!isPveError(thrown)) throw thrown;
    stderr.write(
      `The cluster cannot be read: ${thrown.message.replace(/[.!\s]+$/, "")}. \`doctor\` shows the reason.\n`,
    );
    return 1;
  }
}

function parse<T extends ParseArgsOptionsConfig>(args: readonly string[], options: T, allowPositionals: boolean) {
  try {
    return parseArgs({ args: [...args], strict: true, allowPositionals, options });
  } catch (thrown) {
    const [sentence = ""] = (thrown as Error).message.split(/\.(?:\s|$)/);
    throw new UsageError(`${sentence}; --help lists the options.`);
  }
}
