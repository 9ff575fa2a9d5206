import { plainLines, plainMessage } from "../text/plain-text.ts";
import type { CommandContext } from "./command-context.ts";

type Stream = CommandContext["stdout"];

/** Names and messages come from the cluster: a user of the cluster must not reach the terminal of another one. */
const plainStream = (
  stream: Stream & { readonly isTTY?: boolean },
  plain: (text: string) => string,
): Stream & { readonly isTTY: boolean } => ({
  isTTY: stream.isTTY === true,
  write: (text) => stream.write(plain(text)),
});

/** The process, for all commands. Configurations on stdout keep their lines; stderr has messages only. */
export const plainProcess = (): CommandContext => plainContext(process);

export const plainContext = ({ stdout, stderr, env }: CommandContext): CommandContext => ({
  stdout: plainStream(stdout, plainLines),
  stderr: plainStream(stderr, plainMessage),
  env,
});
