import { execFile } from "node:child_process";
import { promisify } from "node:util";
import type { Simulator } from "#simulator";
import { type Seen, variablesFor } from "../../contract/cli/person.ts";
import type { PluginBinary } from "../../terraform/plugin-binary.ts";
import type { GetOnly } from "../get-only-proxy.ts";

interface Typed {
  readonly plugin: PluginBinary;
  readonly simulator: Simulator;
  /** Lets GET requests through, and nothing else; the cluster itself where a login has to be sent. */
  readonly proxy: Pick<GetOnly, "url" | "caCertificate">;
  readonly folder: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly token?: string;
}

/** What a user sees who types a command of the program in a folder. */
export async function typed(
  { plugin, simulator, proxy, folder, env = {}, token = "root@pam!admin" }: Typed,
  args: readonly string[],
): Promise<Seen> {
  const own = {
    ...variablesFor(simulator, token),
    PROXMOX_VE_ENDPOINT: proxy.url,
    PROXMOX_VE_CA_CERTIFICATE: proxy.caCertificate,
  };
  const run = promisify(execFile)(plugin.path, args, {
    cwd: folder,
    env: { ...process.env, ...env, ...own },
    maxBuffer: 2 ** 26,
  });
  return run.then(
    (printed) => ({ code: 0, ...printed }),
    ({ code, stdout, stderr }: Seen) => ({ code, stdout, stderr }),
  );
}
