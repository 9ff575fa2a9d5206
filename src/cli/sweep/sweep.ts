import { isPveError, type PveClient } from "#pve";
import { aligned } from "../aligned.ts";
import type { CommandContext } from "../command-context.ts";
import { connect } from "../connect.ts";
import { runCommand, UsageError } from "../run-command.ts";
import { showUnfinished, unfinishedGuests } from "../unfinished-guests.ts";
import { leftGuests } from "./guests.ts";
import { type Leftover, Stays } from "./leftover.ts";
import { leftPools } from "./pools.ts";
import { leftVolumes } from "./volumes.ts";

const usage = `Usage: sweep --pool POOL --prefix PREFIX [--storage STORAGE] [--templates] [--yes]

Removes what interrupted test runs have left on a host: guests that are members of the pool and whose name starts with the
prefix, with their disks, and pools inside the pool whose name does. Both have to hold. Protected guests, guests with a lock and pools
with other guests are never removed. Without --yes, it only lists them. Other guests that the token may see and whose create was interrupted
are named.

  --pool POOL        The pool of the test runs. It must exist.
  --prefix PREFIX    At least three characters.
  --storage STORAGE  On this storage, also files and disks of no guest whose name starts with the prefix, and backups
                     whose notes do (may be repeated). Volumes of guests that the token may see, and
                     protected backups, are never removed.
  --templates        Templates, too.
  --yes              Stop the guests and destroy them.

Reads the same variables as the provider. The token requires VM.Allocate, VM.PowerMgmt, VM.Audit and Pool.Audit, on the pool only; for
pools inside it Pool.Allocate, and for volumes Datastore.Allocate on the storage.

Exit code: 0 if nothing is left, or without --yes; 1 if something could not be removed; 2 if the arguments are invalid.
`;

const options = {
  pool: { type: "string" },
  prefix: { type: "string" },
  storage: { type: "string", multiple: true },
  templates: { type: "boolean" },
  yes: { type: "boolean" },
} as const;

interface SweepOptions {
  readonly pool?: string | undefined;
  readonly prefix?: string | undefined;
  readonly storage?: string[] | undefined;
  readonly templates?: boolean | undefined;
  readonly yes?: boolean | undefined;
}

/** `sweep`: resolves to the exit code. */
export async function run(args: string[], context: CommandContext = process): Promise<number> {
  return runCommand(args, { usage, options, act: (chosen) => sweep(chosen, context) }, context);
}

async function sweep(
  { pool, prefix, storage = [], templates = false, yes }: SweepOptions,
  context: CommandContext,
): Promise<number> {
  if (!pool) throw new UsageError("--pool POOL limits the sweep to one pool; --help lists the options.");
  if (!prefix || prefix.length < 3) throw new UsageError("--prefix PREFIX needs at least three characters.");
  const client = connect(context.env);
  try {
    // In the order in which they can be removed: a disk stays while a guest uses it, and a pool while it has a guest.
    const kinds = [
      () => leftGuests(client, { pool, prefix, templates }),
      () => leftVolumes(client, storage, prefix),
      () => leftPools(client, pool, prefix),
    ];
    let count = 0;
    let left = 0;
    for (const find of kinds) {
      const found = await find();
      count += found.length;
      if (found.length > 0) context.stdout.write(`${aligned(found.map(rowOf))}\n`);
      if (yes) left += await removeAll(found, context);
      client.inventory.forget();
    }
    await nameUnfinished(client, context);
    if (count === 0) context.stdout.write(`Nothing in the pool "${pool}" has a name with "${prefix}".\n`);
    return left > 0 ? 1 : 0;
  } finally {
    await client.close();
  }
}

/** Guests of interrupted creates that are not among those: a clone gets its name and its pool late. They are never removed. */
async function nameUnfinished(client: PveClient, { stdout }: CommandContext): Promise<void> {
  const found = await unfinishedGuests(client);
  if (found.length === 0) return;
  const lines = found.map((guest) => `  ${showUnfinished(guest)}\n`).join("");
  stdout.write(
    `Creates of these guests were interrupted, or are in progress; sweep removes those of the pool and the prefix only:\n${lines}`,
  );
}

/** The number of those that stay. */
async function removeAll(found: readonly Leftover[], { stdout, stderr }: CommandContext): Promise<number> {
  let left = 0;
  for (const one of found) {
    const { title, obstacle } = one;
    try {
      if (obstacle !== undefined) throw new Stays(obstacle);
      await one.remove();
      stdout.write(`${title} was destroyed\n`);
    } catch (reason) {
      if (!(reason instanceof Stays) && !isPveError(reason)) throw reason;
      left += 1;
      stderr.write(`${title} stays: ${(reason as Error).message}\n`);
    }
  }
  return left;
}

const rowOf = ({ title, details: [place, state], obstacle }: Leftover): readonly string[] => [
  title,
  place,
  obstacle === undefined ? state : `${state}, stays: ${obstacle}`,
];
