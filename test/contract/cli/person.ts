import type { Simulator } from "#simulator";
import type { CommandContext } from "../../../src/cli/command-context.ts";

/** The result of a command, as its user sees it. */
export interface Seen {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

type Variables = Readonly<Record<string, string>>;

/** Runs a command with these variables. */
export async function type(
  command: (args: string[], context: CommandContext) => Promise<number>,
  args: string[],
  env: Variables,
): Promise<Seen> {
  const printed = { stdout: "", stderr: "" };
  const stream = (name: "stdout" | "stderr") => ({
    write: (text: string) => {
      printed[name] += text;
    },
  });
  const code = await command(args, { stdout: stream("stdout"), stderr: stream("stderr"), env });
  return { code, ...printed };
}

/** The variables of a user with this token for that cluster. */
export const variablesFor = ({ url, caCertificate, tokens }: Simulator, token = "terraform@pve!tf"): Variables => ({
  PROXMOX_VE_ENDPOINT: url,
  PROXMOX_VE_CA_CERTIFICATE: caCertificate,
  PROXMOX_VE_API_TOKEN: tokens[token] ?? "",
});
