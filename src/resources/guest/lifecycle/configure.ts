import { type ConfigDraft, type ConfigPatch, isPveError, isSlot, repeatableWrite } from "#kit";
import type { GuestAddress, GuestConfig } from "#pve";
import type { GuestQuery } from "../context.ts";
import type { GuestKind } from "../kind.ts";
import { configOf } from "./known.ts";

/** A change as the first attempt computed it. */
export interface IntendedChange {
  readonly before: GuestConfig;
  readonly draft: ConfigDraft;
}

/** Attempts of a change when another user edits the guest at the same moment, or when an answer is lost. */
const attempts = 3;

/**
 * Changes a guest's configuration by `edit`, in one call; `known` saves reading it first. A change whose answer was lost is
 * assumed neither to have failed nor to have succeeded: the configuration is read and edited again. The intended change is
 * that of the first attempt, since a later one may find everything done.
 */
export async function configure(
  context: GuestQuery,
  guest: GuestAddress,
  known: GuestConfig | null,
  edit: (draft: ConfigDraft) => void,
): Promise<{ draft: ConfigDraft; intended: IntendedChange }> {
  const { kind, api, signal } = context;
  const isWorthRetrying = (reason: Error) => isLost(reason) || api.isOutdated(reason);
  let intended: IntendedChange | undefined;
  return api.retry({ attempts, isWorthRetrying }, async (attempt) => {
    const before =
      attempt === 1
        ? (known ?? (await configOf(context, guest)))
        : await kind.calls(api).getConfig(guest, {}, { signal });
    const draft = kind.draft(api, before.options);
    edit(draft);
    intended ??= { before, draft };
    await sendPatch(context, guest, draft.patch, { digest: before.digest });
    return { draft, intended };
  });
}

const isLost = (reason: Error): boolean => isPveError(reason) && reason.mayHaveHappened;

interface Conditions {
  /** The configuration that the patch was computed for: PVE refuses it for another one. */
  readonly digest?: string;
  /** Deletes the volumes in removed slots. */
  readonly force?: boolean;
}

/**
 * Sends a patch in one call; an empty one is not sent. When the answer is lost, a patch without a digest is sent again:
 * sending it twice has no further effect, unless it creates volumes.
 */
export async function sendPatch(
  context: GuestQuery,
  guest: GuestAddress,
  patch: ConfigPatch,
  conditions: Conditions = {},
): Promise<void> {
  if (Object.keys(patch.set).length === 0 && patch.delete.length === 0) return;
  const isRepeatable = conditions.digest === undefined && !createsVolumes(context.kind, patch);
  const isWorthRetrying = (reason: Error) => isRepeatable && isLost(reason);
  await context.api.retry({ attempts, isWorthRetrying }, () => submitPatch(context, guest, patch, conditions));
}

async function submitPatch(
  { kind, api, signal }: GuestQuery,
  guest: GuestAddress,
  patch: ConfigPatch,
  conditions: Conditions,
): Promise<void> {
  const change = { ...patch.set, ...(patch.delete.length > 0 && { delete: patch.delete }), ...conditions };
  const what = `configure ${kind.noun} ${guest.vmid}`;
  const isLong = createsVolumes(kind, patch);
  const submit = () => kind.calls(api).changeConfig(guest, change, { isLong, signal });
  await api.operations.run<string | null>(guest, { what, submit, signal }).catch((reason: unknown) => {
    if (!api.isOnlyDelayed(reason)) throw reason;
  });
}

/** Takes back changes that wait for a restart. */
export async function revertPending(
  { kind, api, signal }: GuestQuery,
  guest: GuestAddress,
  options: readonly string[],
): Promise<void> {
  if (options.length === 0) return;
  const submit = () => kind.calls(api).changeConfig(guest, { revert: [...options] }, { isLong: false, signal });
  const operation = { what: `configure ${kind.noun} ${guest.vmid}`, submit, signal };
  // What is taken back already, is not pending any more: sending it again has no further effect.
  await repeatableWrite(api, { write: () => api.operations.run<string | null>(guest, operation), signal });
}

/** Creating volumes may take longer than a request, which pveproxy aborts after 30 s. */
const createsVolumes = ({ families }: GuestKind, { set }: ConfigPatch): boolean =>
  Object.entries(set).some(
    ([option, line]) =>
      isSlot(option, families.volumes) && /^(file=)?[^:,]+:(\d+(\.\d+)?|cloudinit)(,|$)/.test(String(line)),
  );
