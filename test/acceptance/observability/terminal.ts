import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Workspace } from "../../terraform/workspace.ts";

/** Why no terminal can be made here. Undefined: one can be made. */
export const noTerminal: string | undefined = (() => {
  if (process.platform !== "linux") return "a terminal is made by script(1) of util-linux, which is Linux'";
  try {
    execFileSync("script", ["--version"], { stdio: "ignore" });
    return undefined;
  } catch {
    return "script(1), which makes a terminal, is not installed (Debian: bsdutils)";
  }
})();

/**
 * Runs a command of Terraform in a terminal of its own. The output of Terraform goes to a file, so that `screen` has only
 * what others wrote to the terminal.
 */
export async function inTerminal(
  workspace: Workspace,
  binary: string,
  args: string,
  env: Record<string, string>,
): Promise<{ code: number; screen: string; printed: string }> {
  const [recording, printed] = [join(workspace.folder, "screen"), join(workspace.folder, "printed")];
  const command = `'${binary}' ${args} > '${printed}' 2>&1`;
  const child = spawn("script", ["--quiet", "--return", "--command", command, recording], {
    cwd: workspace.folder,
    env: { ...process.env, ...workspace.env, TERM: "xterm", ...env },
    stdio: "ignore",
    detached: true,
  });
  const [code] = (await once(child, "exit")) as [number];
  // The first and the last line are from `script` itself.
  const screen = readFileSync(recording, "utf8")
    .replace(/^Script started.*\n/, "")
    .replace(/\n*Script done.*\n$/, "\n");
  return { code, screen, printed: readFileSync(printed, "utf8") };
}
