import { commands } from "./commands.ts";
import { helpText } from "./help.ts";
import { version } from "./version.ts";

/** The binary as a person uses it. Resolves to the exit code. */
export async function runCommandLine(args: string[]): Promise<number> {
  const [name = "--help", ...rest] = args;
  if (name === "--help" || name === "-h" || name === "help") return say(helpText());
  if (name === "--version" || name === "-v" || name === "version") return say(`${version}\n`);
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (command) return command.run(rest);
  process.stderr.write(`There is no command ${JSON.stringify(name)}; --help lists those there are.\n`);
  return 2;
}

function say(text: string): number {
  process.stdout.write(text);
  return 0;
}
