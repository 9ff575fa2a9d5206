import { commands } from "./commands.ts";
import { helpText } from "./help.ts";
import { plainProcess } from "./plain-output.ts";
import { version } from "./version.ts";

/** The command line for users. Resolves to the exit code. */
export async function runCommandLine(args: string[]): Promise<number> {
  const [name = "--help", ...rest] = args;
  if (name === "--help" || name === "-h" || name === "help") return say(helpText());
  if (name === "--version" || name === "-v" || name === "version") return say(`${version}\n`);
  if (name === "--licenses") return say((await import("./licenses.ts")).licenses);
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (command) return command.run(rest, plainProcess());
  plainProcess().stderr.write(`Unknown command ${JSON.stringify(name)}; --help lists the commands.\n`);
  return 2;
}

/** Resolves once it is written: the process ends right after that, and a pipe accepts long texts in pieces. */
async function say(text: string): Promise<number> {
  await new Promise((resolve) => process.stdout.write(text, resolve));
  return 0;
}
