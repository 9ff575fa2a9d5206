import { jsonLine } from "../json-line.ts";
import type { Surroundings } from "../surroundings.ts";
import { runTyped } from "../typed-command.ts";
import type { Check } from "./check.ts";
import { api, login } from "./checks/api.ts";
import { bridges } from "./checks/bridges.ts";
import { certificate } from "./checks/certificate.ts";
import { clock } from "./checks/clock.ts";
import { connection, name } from "./checks/network-path.ts";
import { nodes } from "./checks/nodes.ts";
import { rights } from "./checks/rights.ts";
import { credentials, settings } from "./checks/settings.ts";
import { storages } from "./checks/storages.ts";
import { templates } from "./checks/templates.ts";
import { token } from "./checks/token.ts";
import { version } from "./checks/version.ts";
import { runChecks } from "./run-checks.ts";
import { showTable } from "./show-table.ts";
import { beginVisit, type Visit } from "./visit.ts";

const usage = `Usage: doctor [--json]
       doctor duplicates [--json]
       doctor role [--vms | --pool NAME | --read-only] [options]

Looks at everything between here and a working plan: name, connection, certificate, login, version, clock, nodes,
rights, storages, bridges, templates. Below each line that fails stands what to do about it. Nothing is changed.

It reads the same variables as the provider (PROXMOX_VE_ENDPOINT, PROXMOX_VE_API_TOKEN …); what is written in a
provider block is not read, so export it.

  duplicates    List VMs that share a name, with what tells them apart; see doctor duplicates --help.
  role          Print the least roles a token needs, and the commands that make them; see doctor role --help.
  --json        Print one JSON object instead of the table: {"ok": …, "checks": [{"check": …, "subject": …, "verdict":
                "ok", "notice", "failed" or "skipped", "said": …, "cure": [lines], "waits_for": …}]}.

Exit code: 0 if nothing fails (lines with ! are for reading), 1 if something does, 2 if the command is not understood.
`;

/** Each way one can be examined, by the word that follows `doctor`. */
const parts: Readonly<Record<string, (args: string[], surroundings: Surroundings) => Promise<number>>> = {
  duplicates: async (args, surroundings) => (await import("./duplicates/duplicates.ts")).run(args, surroundings),
  role: async (args, surroundings) => (await import("../roles/role-command.ts")).run(args, surroundings),
};

/** `doctor`: resolves to the exit code. `now` is this machine's clock. */
export async function run(args: string[], surroundings: Surroundings = process, now?: () => number): Promise<number> {
  const [first = "", ...rest] = args;
  const part = Object.hasOwn(parts, first) ? parts[first] : undefined;
  if (part) return part(rest, surroundings);
  const command = {
    usage,
    options: { json: { type: "boolean" } },
    act: ({ json = false }) => examine(beginVisit(surroundings.env, now), json, surroundings),
  } as const;
  return runTyped(args, command, surroundings);
}

async function examine(visit: Visit, asJson: boolean, { stdout }: Surroundings): Promise<number> {
  try {
    const results = await runChecks(checksFor(visit.endpoints), visit);
    const isFine = results.every(({ verdict }) => verdict !== "failed");
    stdout.write(asJson ? jsonLine({ ok: isFine, checks: results }) : showTable(results));
    return isFine ? 0 : 1;
  } finally {
    await visit.end();
  }
}

/** In the order things depend on each other; without an endpoint, those of endpoints are still listed. */
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
    rights,
    storages,
    bridges,
    templates,
  ];
}
