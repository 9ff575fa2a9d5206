import {
  type CommitContext,
  type CommitResult,
  Failure,
  type IsOwn,
  isPveError,
  oneAtATime,
  step,
  whyKept,
} from "#kit";
import { foreignNetworks, refuseNetworks } from "./foreign-networks.ts";
import { underLock } from "./lock.ts";
import { describeChanges, type PendingChange, pendingChanges } from "./pending.ts";
import { awaitReload } from "./reload.ts";

/** What a rollback does not undo. */
const notUndone =
  "Addresses of gateways that were registered in the IPAM stay there, and IPAM and DNS servers are not part of a rollback.";

interface SdnCommit extends CommitContext {
  /** Reloads the nodes even if nothing is staged. */
  readonly isForced?: true;
}

/** Changes that the run does not own. What is in an object whose own removal is staged goes with it. */
export function foreignIn(pending: readonly PendingChange[], isOwn: IsOwn): PendingChange[] {
  const removals = new Map(pending.filter(({ state }) => state === "deleted").map((one) => [one.key, one]));
  const isOurs = ({ key, state, within }: PendingChange): boolean =>
    isOwn(key, state === "deleted" ? within : []) ||
    (state === "deleted" && within.some((one) => removals.has(one) && isOurs(removals.get(one) as PendingChange)));
  return pending.filter((one) => !isOurs(one));
}

export function refuseForeign(foreign: readonly PendingChange[], left: string): Failure {
  const detail = `Other clients have staged changes of the SDN that a commit would put into effect, too: ${describeChanges(foreign)}. ${left} Apply or revert them first (Datacenter > SDN), or allow it with \`commit_foreign = true\`.`;
  return new Failure("Staged changes of other clients", detail);
}

/**
 * Puts all that is staged into effect, under PVE's lock, which is held since the first change: no other client can add to it. If PVE refuses it, what
 * this run has staged is rolled back. Server side: pve-network `src/PVE/API2/Network/SDN.pm`.
 */
export function commitSdn(context: SdnCommit): Promise<CommitResult> {
  const { api, changes, log } = context;
  return step(log, "commit", { detail: `the SDN for ${changes.length} changes`, changes: changes.length }, async () => {
    const startedAt = api.serverTime();
    try {
      // The token must not be released between the reading and the writing of another change.
      const upid = await oneAtATime(api, "SDN", () => underLock(api, (token) => applyLocked(context, token)));
      return { problems: context.isHurried ? [] : await awaitReload(context, upid, startedAt) };
    } finally {
      api.store.forgetUnder("/cluster/sdn/");
    }
  });
}

async function applyLocked(context: SdnCommit, token: string): Promise<string | null> {
  const { api, changes, isOwn, isForced } = context;
  const pending = await pendingChanges(api);
  const foreign = foreignIn(pending, isOwn);
  if (!changes.some(({ commitsForeign }) => commitsForeign)) {
    const left = "What this run has staged waits, and is not in effect.";
    if (foreign.length > 0) throw refuseForeign(foreign, left);
    const nodes = await foreignNetworks(api);
    if (nodes.length > 0) throw refuseNetworks(nodes, left);
  }
  if (pending.length === 0 && !isForced) {
    await api.sdn.unlock({ token });
    return null;
  }
  if (!context.isHurried) await showDryRun(context);
  try {
    return await api.sdn.apply(token);
  } catch (reason) {
    if (isPveError(reason) && reason.mayHaveHappened && (await pendingChanges(api)).length === 0) return null;
    throw await undo(context, { token, isAlone: foreign.length === 0 }, reason);
  }
}

interface Undo {
  readonly token: string;
  readonly isAlone: boolean;
}

/** A commit that was refused has changed nothing on the nodes. */
async function undo({ api, forgotten = [] }: SdnCommit, { token, isAlone }: Undo, reason: unknown): Promise<Failure> {
  const said = reason instanceof Error ? reason.message : String(reason);
  const kept = isAlone ? whyKept(forgotten) : "a rollback would also drop those of other clients";
  const rollback = kept === null ? api.sdn.rollback(token) : Promise.resolve();
  const outcome = await rollback.then(
    () =>
      kept === null
        ? `The staged changes of this run were rolled back; the nodes run what they ran before. ${notUndone}`
        : `The staged changes stay, since ${kept}; the nodes run what they ran before.`,
    (failure: Error) => `Nothing was rolled back: ${failure.message}. The staged changes wait for the next commit.`,
  );
  return new Failure("Unable to commit the SDN", `${said}\n\n${outcome}`, { cause: reason });
}

/** What the commit will change in the files of each node. */
async function showDryRun({ api, log }: Pick<CommitContext, "api" | "log">): Promise<void> {
  const { nodes, isOnline } = await api.inventory.snapshot();
  await Promise.all(
    [...nodes.keys()].filter(isOnline).map(async (node) => {
      try {
        const { "interfaces-diff": interfaces, "frr-diff": frr } = await api.sdn.dryRun(node);
        log.debug("dry run of the SDN", { node, interfaces, frr });
      } catch (reason) {
        log.debug("no dry run of the SDN", { node, error: String(reason) });
      }
    }),
  );
}
