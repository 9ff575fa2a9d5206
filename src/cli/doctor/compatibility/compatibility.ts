import { readFileSync, statSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import type { CommandContext } from "../../command-context.ts";
import { connect } from "../../connect.ts";
import { jsonLine } from "../../json-line.ts";
import { ProviderProblem, runCommand, UsageError } from "../../run-command.ts";
import type { Api } from "./api-method.ts";
import { type Comparison, compare, type Wanted } from "./compare.ts";
import { knownApi } from "./known-api.ts";
import { needsOf } from "./needs.ts";
import { DescriptionProblem, mostCharacters, readDescription } from "./read-description.ts";
import { type Selection, selectionOf } from "./selection.ts";
import { showComparison } from "./show-comparison.ts";

const usage = `Usage: doctor compatibility [--api FILE] [--json] [TYPE | TYPE.ATTRIBUTE | FOLDER | STATE …]

Compares the API of a host, as the host itself describes it (/pve-docs/api-viewer/apidoc.js), with what this provider needs
and knows: what is missing there, what has another type, other bounds or other privileges, and what is new there. The
host is only read. Use it before an upgrade of Proxmox VE or of the provider.

  TYPE            A resource type: proxmox_vm. Its calls are needed; attributes that are missing are notices.
  TYPE.ATTRIBUTE  An attribute that is needed: proxmox_vm.intel_tdx, proxmox_vm.networks.net0.host_tunnel.
  FOLDER          A configuration: the types and attributes in its .tf files, subfolders included, are needed.
  STATE           A state file: its types are needed. Without arguments: every type that this provider has.
  --api FILE      Read the description from this file, such as an apidoc.js of another host, instead of the host. It is parsed
                  and never run.
  --json          Print one JSON object instead: {"compatible": …, "host": version, "known": version, "types": number,
                  "missing": [{"type", "attribute", "value", "calls", "needed", "since"}], "demanded": [{"call", "parameter"}],
                  "changed": [{"call", "parameter", "what", "known", "host"}], "unknown": [{"call", "parameter", "value"}],
                  "privileges_gone": [names]}.

Exit code: 0 if the host has everything that is needed, 1 if not (or if the description cannot be read), 2 if the arguments are
invalid.
`;

export interface Report extends Comparison {
  readonly isCompatible: boolean;
  /** Its version; undefined for a file. */
  readonly host: string | undefined;
  readonly known: string;
  readonly types: number;
}

/** `doctor compatibility`: resolves to the exit code. */
export function run(args: readonly string[], context: CommandContext = process): Promise<number> {
  const command = {
    usage,
    options: { api: { type: "string" }, json: { type: "boolean" } },
    allowPositionals: true,
    async act({ api, json }: { api?: string; json?: boolean }, given: readonly string[]) {
      const selection = await selectionOf(given);
      const report = await examine(api, selection, given.length === 0, context);
      context.stdout.write(json ? jsonLine(printed(report)) : showComparison(report));
      return report.isCompatible ? 0 : 1;
    },
  } as const;
  return runCommand(args, command, context);
}

async function examine(
  file: string | undefined,
  selection: Selection,
  isWhole: boolean,
  { env }: CommandContext,
): Promise<Report> {
  const known = await knownApi();
  const wanted: Wanted[] = await Promise.all(
    [...selection].map(async ([type, written]) => ({ needs: await needsOf(type, known.api), written })),
  );
  const { version, api, privileges } = file === undefined ? await askHost(env) : readFile(file);
  const found = compare(api, known, wanted, isWhole);
  const goneFrom = found.goneFrom.filter((one) => !privileges.has(one));
  const isCompatible = !found.missing.some(({ isNeeded }) => isNeeded) && found.demanded.length === 0;
  return { ...found, goneFrom, isCompatible, host: version, known: known.version, types: wanted.length };
}

interface Described {
  readonly version: string | undefined;
  readonly api: Api;
  /** Those that roles have. */
  readonly privileges: ReadonlySet<string>;
}

async function askHost(env: CommandContext["env"]): Promise<Described> {
  const client = connect(env);
  try {
    const { version } = await client.cluster.getVersion();
    const script = await client.cluster.getDescription();
    const roles = await client.access.roles.list();
    const privileges = new Set(roles.flatMap((role) => role.privileges));
    return { version, api: described(script, "the host's"), privileges };
  } finally {
    await client.close();
  }
}

function readFile(file: string): Described {
  return { version: undefined, api: described(textOf(file), `the one in ${file}`), privileges: new Set() };
}

/** A large file is refused before it is read, and a compressed one before it is unpacked. */
function textOf(file: string): string {
  try {
    if (statSync(file).size > mostCharacters) throw new DescriptionProblem("it is too large");
    const bytes = readFileSync(file);
    return (file.endsWith(".gz") ? gunzipSync(bytes, { maxOutputLength: mostCharacters }) : bytes).toString("utf8");
  } catch (thrown) {
    throw new UsageError(`'${file}' cannot be read: ${(thrown as Error).message}.`);
  }
}

function described(script: string, whose: string): Api {
  try {
    return readDescription(script);
  } catch (thrown) {
    if (!(thrown instanceof DescriptionProblem)) throw thrown;
    throw new ProviderProblem(`The API description cannot be read, ${whose}: ${thrown.message}.`);
  }
}

const printed = ({ isCompatible, goneFrom, missing, ...others }: Report) => ({
  compatible: isCompatible,
  ...others,
  missing: missing.map(({ isNeeded, ...one }) => ({ ...one, needed: isNeeded })),
  privilegesGone: goneFrom,
});
