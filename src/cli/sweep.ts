import { type GuestAddress, type InventoryGuest, isPveError, type PveClient } from "#pve";
import { aligned } from "./aligned.ts";
import type { CommandContext } from "./command-context.ts";
import { connect } from "./connect.ts";
import { runCommand, UsageError } from "./run-command.ts";

const usage = `Usage: sweep --pool POOL --prefix PREFIX [--yes]

Removes what interrupted test runs have left on a host: guests that are members of the pool and whose name starts with the
prefix, with their disks. Both have to hold. Templates, protected guests and guests with a lock are never removed. Without --yes, it only
lists them.

  --pool POOL       The pool of the test runs. It must exist.
  --prefix PREFIX   At least three characters.
  --yes             Stop the guests and destroy them.

Reads the same variables as the provider. The token requires VM.Allocate, VM.PowerMgmt, VM.Audit and Pool.Audit, on the pool only.

Exit code: 0 if nothing is left, or without --yes; 1 if a guest could not be removed; 2 if the arguments are invalid.
`;

const options = { pool: { type: "string" }, prefix: { type: "string" }, yes: { type: "boolean" } } as const;

interface SweepOptions {
  readonly pool?: string | undefined;
  readonly prefix?: string | undefined;
  readonly yes?: boolean | undefined;
}

interface Leftover extends InventoryGuest {
  readonly type: "qemu" | "lxc";
  /** Why it stays. */
  readonly obstacle: string | undefined;
}

/** `sweep`: resolves to the exit code. */
export async function run(args: string[], context: CommandContext = process): Promise<number> {
  return runCommand(args, { usage, options, act: (chosen) => sweep(chosen, context) }, context);
}

async function sweep({ pool, prefix, yes }: SweepOptions, context: CommandContext): Promise<number> {
  if (!pool) throw new UsageError("--pool POOL limits the sweep to one pool; --help lists the options.");
  if (!prefix || prefix.length < 3) throw new UsageError("--prefix PREFIX needs at least three characters.");
  const client = connect(context.env);
  try {
    const found = await leftovers(client, pool, prefix);
    if (found.length === 0) context.stdout.write(`Nothing in the pool "${pool}" has a name with "${prefix}".\n`);
    else context.stdout.write(`${aligned(found.map(rowOf))}\n`);
    if (found.length === 0 || !yes) return 0;
    return await removeAll(client, found, context);
  } finally {
    await client.close();
  }
}

async function leftovers(client: PveClient, pool: string, prefix: string): Promise<Leftover[]> {
  const { members } = await client.pools.get(pool);
  const inPool = new Set(members.flatMap(({ vmid }) => vmid ?? []));
  const listed = await Promise.all(
    (["qemu", "lxc"] as const).map(async (type) => {
      const guests = await client.inventory.list(type);
      const chosen = guests.filter(({ vmid, name }) => inPool.has(vmid) && name?.startsWith(prefix));
      return Promise.all(
        chosen.map(async (guest) => ({ ...guest, type, obstacle: await obstacleTo(client, type, guest) })),
      );
    }),
  );
  return listed.flat().sort((one, other) => one.vmid - other.vmid);
}

async function obstacleTo(client: PveClient, type: "qemu" | "lxc", guest: InventoryGuest): Promise<string | undefined> {
  if (guest.isTemplate) return "is a template";
  if (guest.isStale) return `its node ${guest.node} is offline`;
  const { node, vmid } = guest;
  const { options, lock } = await client[type].getConfig({ node, vmid });
  if (options["protection"] === "1") return "is protected";
  return lock === undefined ? undefined : `is locked (${lock})`;
}

async function removeAll(
  client: PveClient,
  found: readonly Leftover[],
  { stdout, stderr }: CommandContext,
): Promise<number> {
  let left = 0;
  for (const guest of found) {
    const { vmid, name, obstacle } = guest;
    try {
      if (obstacle !== undefined) throw new Error(obstacle);
      await destroy(client, guest);
      stdout.write(`${vmid} (${name}) was destroyed\n`);
    } catch (reason) {
      if (obstacle === undefined && !isPveError(reason)) throw reason;
      left += 1;
      stderr.write(`${vmid} (${name}) stays: ${(reason as Error).message}\n`);
    }
  }
  return left > 0 ? 1 : 0;
}

async function destroy(client: PveClient, { type, node, vmid, status }: Leftover): Promise<void> {
  const guest: GuestAddress = { node, vmid };
  const power = type === "qemu" ? client.power : client.containerPower;
  if (status === "running")
    await client.operations.run(guest, { what: `stop ${vmid}`, submit: () => power.stop(guest) });
  await client.operations.run(guest, {
    what: `destroy ${vmid}`,
    submit: () => client[type].remove(guest, { purge: true }),
  });
}

const rowOf = ({ vmid, name = "", node, status, obstacle }: Leftover): readonly string[] => [
  String(vmid),
  name,
  node,
  obstacle === undefined ? status : `${status}, stays: ${obstacle}`,
];
