import type { Simulator } from "#simulator";
import type { Surroundings } from "../../../src/cli/surroundings.ts";

/** How a command ended, as the person who typed it sees it. */
export interface Seen {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

type Variables = Readonly<Record<string, string>>;

/** Types a command in a shell that has these variables. */
export async function type(
  command: (args: string[], surroundings: Surroundings) => Promise<number>,
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

/** What somebody with this token exports to reach that cluster. */
export const variablesFor = ({ url, caCertificate, tokens }: Simulator, token = "terraform@pve!tf"): Variables => ({
  PROXMOX_VE_ENDPOINT: url,
  PROXMOX_VE_CA_CERTIFICATE: caCertificate,
  PROXMOX_VE_API_TOKEN: tokens[token] ?? "",
});
