import { connect } from "../../connect.ts";
import { jsonLine } from "../../json-line.ts";
import type { Surroundings } from "../../surroundings.ts";
import { runTyped } from "../../typed-command.ts";
import { findDuplicates, type Group } from "./find-duplicates.ts";
import { keep, remove, showDuplicates } from "./show-duplicates.ts";

const usage = `Usage: doctor duplicates [--json]

Lists VMs that share a name, as they are left by applies with a lost state: node, status, age, disks, tags and pool of
each, whether a create was cut off, and what to type to keep one and to remove another. Decides and changes nothing.

  --json    Print one JSON object instead of the tables.

Exit code: 0 if every name is that of one VM, 1 if not (or if the cluster cannot be asked), 2 if the command is not
understood.
`;

/** `doctor duplicates`: resolves to the exit code. */
export function run(args: string[], surroundings: Surroundings): Promise<number> {
  const { stdout, env } = surroundings;
  const command = {
    usage,
    options: { json: { type: "boolean" } },
    async act({ json }: { json?: boolean }) {
      const groups = await ask(env);
      const duplicates = groups.map(withCommands);
      stdout.write(json ? jsonLine({ duplicates }) : showDuplicates(groups));
      return groups.length === 0 ? 0 : 1;
    },
  } as const;
  return runTyped(args, command, surroundings);
}

async function ask(env: Surroundings["env"]): Promise<readonly Group[]> {
  const client = connect(env);
  try {
    return await findDuplicates(client);
  } finally {
    await client.close();
  }
}

const withCommands = ({ name, vms }: Group) => ({
  name,
  vms: vms.map((vm) => ({ ...vm, keep: keep(name, vm), remove: remove(vm) })),
});
