import type { CommandContext } from "./command-context.ts";

/** A line for each step on a terminal; none in a pipeline. */
export function progressOf({ stderr, env }: CommandContext): (line: string) => void {
  const isTerminal = (stderr as { isTTY?: boolean }).isTTY === true && !env["CI"];
  return (line) => {
    if (isTerminal) stderr.write(`${line}\n`);
  };
}
