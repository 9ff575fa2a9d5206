import { Failure, isPveError, isSlot, proveLost, trackCreate } from "#kit";
import type { CloneCalls, GuestAddress } from "#pve";
import { addressOf } from "../address.ts";
import type { GuestCreate, GuestMaking, GuestQuery, ReadableGuest } from "../context.ts";
import { markOf, withMark } from "../mark.ts";
import { whyNoSource } from "./missing-source.ts";
import { findSource, type Source } from "./source.ts";

/** Clones another guest. The call itself marks the new one as unfinished. */
export async function cloneGuest(context: GuestMaking, vmid: number, mark: string): Promise<ReadableGuest> {
  const { kind, api, desired, signal } = context;
  const calls = kind.calls(api);
  const source = await findSource(context, desired.clone?.template ?? "");
  if (source === null) {
    const { summary, detail } = await whyNoSource(context, desired.clone?.template ?? "");
    throw new Failure(summary, detail, { path: "clone.template" });
  }
  const target = await directTarget(context, source, desired.node);
  const storages = desired.clone?.storage ? [desired.clone.storage] : [];
  const operation = {
    what: `clone ${kind.noun} ${source.vmid} to ${vmid}`,
    source: addressOf(source),
    request: { ...cloneRequest(context, source, vmid, mark), ...target },
    storages,
    isSourceLocked: kind.locksSource(source),
    signal,
  };
  const guest = { node: target.target ?? source.node, vmid };
  const draft = kind.draft(api, source.config.options);
  const cloned = await trackCreate(context, { id: { vmid }, label: `${kind.title} ${vmid}` }, (send) => {
    const sending: CloneCalls = { ...calls, clone: (...given) => send(() => calls.clone(...given)) };
    return kind.attemptCreate(context, guest, { storages, draft }, () =>
      api.operations.clone({ ...operation, calls: sending }).catch((reason: unknown) =>
        // The answer was lost: the mark and the task list prove the outcome.
        proveClone(context, source, guest, mark, reason),
      ),
    );
  });
  const config = cloned?.config ?? (await calls.getConfig(guest, {}, { signal }));
  return { ...guest, config };
}

function cloneRequest({ kind, desired }: GuestCreate, source: Source, newid: number, mark: string) {
  const { clone, pool, description } = desired;
  return {
    newid,
    description: withMark(description === undefined ? source.config.description : description, mark),
    ...(pool && { pool }),
    ...(clone?.storage && { storage: clone.storage }),
    ...(clone?.snapshot && { snapname: clone.snapshot }),
    ...(clone?.bandwidth_limit && { bwlimit: clone.bandwidth_limit }),
    ...kind.cloneParameters(desired),
  };
}

/** PVE clones to another node only where every volume is on a shared storage; otherwise the clone is migrated later. */
export async function directTarget(
  { kind, api }: GuestQuery,
  source: Source,
  node: string | undefined,
): Promise<{ target?: string }> {
  if (node === undefined || node === source.node) return {};
  const { storages } = await api.inventory.snapshot();
  const shared = new Set(storages.filter((entry) => entry.shared).map((entry) => entry.storage));
  const volumes = Object.entries(source.config.options).filter(([option]) => isSlot(option, kind.families.volumes));
  const used = volumes.flatMap(([, line]) => /^([^:,]+):/.exec(line)?.[1] ?? []);
  return used.every((storage) => shared.has(storage)) ? { target: node } : {};
}

async function proveClone(
  { kind, api, signal }: GuestCreate,
  source: Source,
  guest: GuestAddress,
  mark: string,
  reason: unknown,
): Promise<null> {
  if (!isPveError(reason) || !reason.mayHaveHappened) throw reason;
  await proveLost(api, reason, {
    node: source.node,
    task: { type: kind.tasks.clone, id: String(source.vmid) },
    findMark: api.findMark(kind.calls(api), guest, (config) => markOf(config.description) === mark),
    signal,
  });
  return null;
}
