import type { CommandContext } from "../command-context.ts";
import { jsonLine } from "../json-line.ts";
import { runCommand } from "../run-command.ts";
import type { Check } from "./check.ts";
import { type CheckContext, createCheckContext } from "./check-context.ts";
import { api, login } from "./checks/api.ts";
import { bridges } from "./checks/bridges.ts";
import { certificate } from "./checks/certificate.ts";
import { clock } from "./checks/clock.ts";
import { connection, name } from "./checks/network-path.ts";
import { nodes } from "./checks/nodes.ts";
import { privileges } from "./checks/privileges.ts";
import { credentials, settings } from "./checks/settings.ts";
import { storages } from "./checks/storages.ts";
import { templates } from "./checks/templates.ts";
import { token } from "./checks/token.ts";
import { unfinished } from "./checks/unfinished.ts";
import { version } from "./checks/version.ts";
import { runChecks } from "./run-checks.ts";
import { showTable } from "./show-table.ts";

const usage = `Usage: doctor [--json]
       doctor compatibility [--api FILE] [--json] [TYPE | FOLDER | STATE …]
       doctor duplicates [--json]
       doctor role [--vms | --pool NAME | --read-only] [options]

Checks everything that a plan requires: name, connection, certificate, login, version, clock, nodes, privileges,
storages, bridges, templates, guests of interrupted creates. Advice follows each failed line. Nothing is changed.

It reads the same variables as the provider (PROXMOX_VE_ENDPOINT, PROXMOX_VE_API_TOKEN …). It does not read provider
blocks, so export their settings.

  compatibility Compare the API of the host with what this provider needs and knows; see doctor compatibility --help.
  duplicates    List VMs that share a name, with their differences; see doctor duplicates --help.
  role          Print the least roles for a token, and the commands that create them; see doctor role --help.
  --json        Print one JSON object instead of the table: {"ok": …, "checks": [{"check": …, "subject": …, "verdict":
                "ok", "notice", "failed" or "skipped", "said": …, "cure": [lines], "waits_for": …}]}.

Exit code: 0 if nothing fails (lines with ! are notices), 1 if something does, 2 if the arguments are invalid.
`;

/** The subcommands of `doctor`. */
const parts: Readonly<Record<string, (args: string[], context: CommandContext) => Promise<number>>> = {
  compatibility: async (args, context) => (await import("./compatibility/compatibility.ts")).run(args, context),
  duplicates: async (args, context) => (await import("./duplicates/duplicates.ts")).run(args, context),
  role: async (args, context) => (await import("../roles/role-command.ts")).run(args, context),
};

/** `doctor`: resolves to the exit code. `now` is this machine's clock. */
export async function run(args: string[], context: CommandContext = process, now?: () => number): Promise<number> {
  const [first = "", ...rest] = args;
  const part = Object.hasOwn(parts, first) ? parts[first] : undefined;
  if (part) return part(rest, context);
  const command = {
    usage,
    options: { json: { type: "boolean" } },
    act: ({ json = false }) => examine(createCheckContext(context.env, now), json, context),
  } as const;
  return runCommand(args, command, context);
}

async function examine(context: CheckContext, asJson: boolean, { stdout }: CommandContext): Promise<number> {
  try {
    const results = await runChecks(checksFor(context.endpoints), context);
    const isFine = results.every(({ verdict }) => verdict !== "failed");
    stdout.write(asJson ? jsonLine({ ok: isFine, checks: results }) : showTable(results));
    return isFine ? 0 : 1;
  } finally {
    await context.end();
  }
}

/** In the order of their dependencies; without an endpoint, the checks of endpoints are still listed. */
function checksFor(endpoints: readonly URL[]): readonly Check[] {
  const each = endpoints.length === 0 ? [undefined] : endpoints;
  const ways = each.flatMap((url) => [name(url), connection(url), certificate(url)]);
  return [
    settings,
    credentials,
    ...ways,
    api,
    login,
    version,
    clock,
    token,
    nodes,
    privileges,
    storages,
    bridges,
    templates,
    unfinished,
  ];
}
