import type { CommandContext } from "../../command-context.ts";
import { connect } from "../../connect.ts";
import { jsonLine } from "../../json-line.ts";
import { runCommand } from "../../run-command.ts";
import { findDuplicates, type Group } from "./find-duplicates.ts";
import { keep, remove, showDuplicates } from "./show-duplicates.ts";

const usage = `Usage: doctor duplicates [--json]

Lists VMs that share a name, as applies with a lost state leave them: node, status, age, disks, tags and pool of each,
whether a create was interrupted, and the commands to keep one and to remove another. Changes nothing.

  --json    Print one JSON object instead of the tables.

Exit code: 0 if every name is unique, 1 if not (or if the cluster cannot be read), 2 if the arguments are invalid.
`;

/** `doctor duplicates`: resolves to the exit code. */
export function run(args: string[], context: CommandContext): Promise<number> {
  const { stdout, env } = context;
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
  return runCommand(args, command, context);
}

async function ask(env: CommandContext["env"]): Promise<readonly Group[]> {
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
