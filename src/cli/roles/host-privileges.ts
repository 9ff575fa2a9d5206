import { type Grant, privilegesOfHost } from "#kit";
import { isPveError } from "#pve";
import type { CommandContext } from "../command-context.ts";
import { connect } from "../connect.ts";

const patienceMs = 5_000;

/** The privileges of the host in the environment; null if there is none, or it cannot be asked yet. */
export async function hostPrivileges(env: CommandContext["env"]): Promise<ReadonlySet<string> | null> {
  try {
    const client = connect(env);
    try {
      return privilegesOfHost(await client.access.roles.list({ signal: AbortSignal.timeout(patienceMs) }));
    } finally {
      await client.close();
    }
  } catch (reason) {
    if (isPveError(reason) || (reason instanceof Error && reason.name === "TimeoutError")) return null;
    throw reason;
  }
}

/** Privileges of roles that the host does not have: `pveum` would refuse the role. */
export function unknownTo(host: ReadonlySet<string> | null, grants: readonly Grant[]): string[] {
  const wanted = new Set(grants.flatMap(({ privileges }) => privileges));
  return host === null ? [] : [...wanted].filter((one) => !host.has(one)).sort();
}
