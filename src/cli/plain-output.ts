import type { CommandContext } from "./command-context.ts";

/** What a terminal would take for an order, or would show as something else; tabs and line feeds are plain. */
const special = /(?![\t\n])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** The text with its control characters as codes: in JSON and in HCL the same value. */
export const plain = (text: string): string =>
  text.replaceAll(special, (char) =>
    [...Array(char.length).keys()].map((at) => `\\u${char.charCodeAt(at).toString(16).padStart(4, "0")}`).join(""),
  );

type Stream = CommandContext["stdout"];

/** Names and messages come from the cluster: a user of the cluster must not reach the terminal of another one. */
const plainStream = (stream: Stream & { readonly isTTY?: boolean }): Stream & { readonly isTTY: boolean } => ({
  isTTY: stream.isTTY === true,
  write: (text) => stream.write(plain(text)),
});

/** The process, for commands that print what a cluster says. */
export const plainProcess = (): CommandContext => ({
  stdout: plainStream(process.stdout),
  stderr: plainStream(process.stderr),
  env: process.env,
});
