import { AlreadyReported, attachmentsOf, notImportable } from "#kit";
import type { GuestAddress, GuestConfig } from "#pve";
import type { GuestRead } from "../context.ts";
import { isAnotherGuest } from "../identity.ts";
import { markOf, withoutMark } from "../mark.ts";
import { withoutLocal } from "../observe.ts";
import { type ReadHint, runOf } from "../run.ts";
import { standingOf } from "./being-made.ts";
import { noteMissing } from "./detached.ts";
import { findGuestWithPending } from "./find.ts";
import { noteGrowth } from "./growth.ts";
import { readHa } from "./ha.ts";
import { configOf } from "./known.ts";
import { type PendingOptions, pendingOptions } from "./pending.ts";

/** The guest as it is now. `T` is what the kind observes. Never waits. */
export async function readGuest<T>(context: GuestRead): Promise<T | null> {
  const { kind, id, state, purpose, report, log, privateState } = context;
  const hint = takeReadHint(context);
  const found = hint ? await justChanged(context, hint) : await findGuestWithPending(context, id.vmid);
  if (found === null) return gone(context);
  if (found.config === null) {
    const named = found.name === undefined ? "" : ` "${found.name}"`;
    if (state === null) throw notImportable(found.node, `${kind.title} ${id.vmid}${named}`);
    report.warning(null, `Node ${found.node} is offline`, `${kind.title} ${id.vmid} is shown as it was last known.`);
    // Of a guest whose create has failed, not even all attributes are known.
    if (purpose === "refresh") throw new AlreadyReported();
    return withoutLocal(kind.attributes, state) as T;
  }
  const standing = standingOf(kind, privateState, found.config);
  if (standing === "unknown") {
    report.warning(
      null,
      `${kind.title} ${id.vmid} is still being made`,
      `Its create was given up, and a task still works on it (lock "${found.config.lock}"). It is shown as it was planned.`,
    );
    throw new AlreadyReported();
  }
  const seen = kind.fingerprint(found.config.options);
  const isMarked = privateState.mark !== null && markOf(found.config.description) === privateState.mark;
  if (isMarked) runOf(context.api).unfinished.add(id.vmid);
  const isOther = !isMarked && isAnotherGuest({ kind, vmid: id.vmid, known: privateState.fingerprint, seen });
  if (isOther || standing === "foreign") {
    log.warn("another guest has this VMID now", { vmid: id.vmid, name: found.config.name });
    report.warning(
      null,
      `VMID ${id.vmid} is another ${kind.noun} now`,
      `"${found.config.name ?? `${kind.title} ${id.vmid}`}" on ${found.node} is not the ${kind.noun} that was created here, and is left alone. The one that was is gone.`,
    );
    runOf(context.api).reused.add(id.vmid);
    return gone(context);
  }
  // An import records it at once.
  if (privateState.fingerprint === null && purpose === "refresh") privateState.isForgotten = true;
  if (found.status === "running") delete privateState.isToStart;
  privateState.fingerprint = seen;
  privateState.digest = found.config.digest;
  return (await observe(context, { ...found, config: found.config, isMarked }, hint)) as T;
}

interface Readable extends Omit<GuestAddress, "vmid"> {
  readonly config: GuestConfig;
  readonly status: string;
  readonly pool: string | undefined;
  /** Whether its create has not been completed. */
  readonly isMarked: boolean;
}

async function observe(context: GuestRead, found: Readable, hint: ReadHint | undefined): Promise<object> {
  const { kind, api, id, state, purpose, privateState } = context;
  const waiting = hint
    ? { pending: [...hint.pending], removed: hint.removed ?? [] }
    : await stillPending(context, found);
  const draft = kind.draft(api, found.config.options);
  // PVE leaves out options that the next start removes, except for a `0` (qemu-server: src/PVE/API2/Qemu.pm, `vm_config`).
  for (const option of waiting.removed) draft.set(option, null);
  // The mark of an unfinished create is not part of the description.
  if (found.isMarked) draft.set("description", withoutMark(String(draft.raw("description"))) || null);
  if (state !== null && (purpose === "refresh" || purpose === "update")) noteMissing(kind, privateState, state, draft);
  const status = hint ? found.status : await processStatus(context, found);
  const place = { node: found.node, vmid: id.vmid, status };
  const described = await kind.describe(context, place, draft, hint?.addresses);
  noteGrowth(context, described);
  return {
    ...described,
    pool: found.pool ?? (state?.pool === "" ? "" : null),
    ha: await readHa(context),
    inherited: (state?.inherited ?? []).filter((slot) => draft.has(slot)),
    pending: waiting.pending,
  };
}

/**
 * PVE calls a paused VM `running`. The list of the cluster, which costs no call, has the state of its process, some seconds late.
 * A VM with a lock is paused by an operation that resumes it.
 */
async function processStatus({ kind, api, id: { vmid }, signal }: GuestRead, { node, status }: Readable) {
  const listed = (await api.inventory.snapshot()).guests.get(vmid);
  if (status !== "running" || listed?.status !== "paused" || listed.lock !== undefined) return status;
  const { qmpstatus } = await kind.calls(api).getStatus({ node, vmid }, { signal });
  return qmpstatus === "paused" ? qmpstatus : status;
}

/** A guest that no longer exists has no name and no VMID that others could wait for. */
function gone({ api, id }: GuestRead): null {
  runOf(api).inState.delete(id.vmid);
  return null;
}

/** The hint of the operation before this read. Once it is used up, the cluster is read anew. */
function takeReadHint({ api, id, purpose }: GuestRead): ReadHint | undefined {
  const { readHints, inState } = runOf(api);
  if (purpose === "create" || purpose === "update") return readHints.get(id.vmid);
  inState.add(id.vmid);
  attachmentsOf(api).expect(id.vmid);
  if (readHints.size > 0) {
    readHints.clear();
    api.inventory.forget();
  }
  return undefined;
}

async function justChanged(context: GuestRead, { node, status, pool }: ReadHint) {
  const config = await configOf(context, { node, vmid: context.id.vmid });
  return { node, status, pool: pool ?? undefined, config };
}

/** They were read with the configuration. */
async function stillPending(
  context: GuestRead,
  { node, status }: Pick<Readable, "node" | "status">,
): Promise<PendingOptions> {
  const { pending, removed } = await pendingOptions(context, { node, vmid: context.id.vmid });
  // A stopped guest has the changes already, as far as anyone can see.
  return { pending: status === "running" ? pending : [], removed };
}
