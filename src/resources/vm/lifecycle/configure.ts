import { type ConfigDraft, type ConfigPatch, isPveError, type Session } from "#kit";
import type { GuestAddress, GuestConfig } from "#pve";
import { isVolumeSlot } from "../slots.ts";

interface Configuring {
  readonly api: Session;
  readonly signal: AbortSignal;
}

/** A change as it was before anything of it was done. */
export interface Meant {
  readonly before: GuestConfig;
  readonly draft: ConfigDraft;
}

/** How often a change is made anew when somebody else edits the VM at the same moment, or the answer is lost. */
const attempts = 3;

/**
 * Brings a VM's configuration to what `edit` makes of it, in one call; `known` saves reading it first. A change whose
 * answer was lost is not assumed to have failed or to have succeeded: what is there now is read, and edited again.
 * What was meant is what the first attempt made of it: a later one may find everything done, and more.
 */
export async function configure(
  { api, signal }: Configuring,
  vm: GuestAddress,
  known: GuestConfig | null,
  edit: (draft: ConfigDraft) => void,
): Promise<{ draft: ConfigDraft; meant: Meant }> {
  const isWorthRetrying = (reason: Error) => isLost(reason) || api.isOutdated(reason);
  let meant: Meant | undefined;
  return api.retry({ attempts, isWorthRetrying }, async (attempt) => {
    const before = (attempt === 1 ? known : null) ?? (await api.qemu.getConfig(vm, {}, { signal }));
    const draft = api.draft(before.options);
    edit(draft);
    meant ??= { before, draft };
    await sendPatch({ api, signal }, vm, draft.patch, { digest: before.digest });
    return { draft, meant };
  });
}

const isLost = (reason: Error): boolean => isPveError(reason) && reason.mayHaveHappened;

interface Sending {
  /** What the patch was made for: another configuration refuses it. */
  readonly digest?: string;
  readonly force?: boolean;
}

/**
 * Sends a patch in one call; nothing is sent when there is nothing to say. When the answer is lost, a patch that fits any
 * configuration is sent again: saying it twice does no harm, unless it makes volumes.
 */
export async function sendPatch(
  context: Configuring,
  vm: GuestAddress,
  patch: ConfigPatch,
  more: Sending = {},
): Promise<void> {
  if (Object.keys(patch.set).length === 0 && patch.delete.length === 0) return;
  const isRepeatable = more.digest === undefined && !makesVolumes(patch);
  const isWorthRetrying = (reason: Error) => isRepeatable && isLost(reason);
  await context.api.retry({ attempts, isWorthRetrying }, () => submitPatch(context, vm, patch, more));
}

async function submitPatch(
  { api, signal }: Configuring,
  vm: GuestAddress,
  patch: ConfigPatch,
  more: Sending,
): Promise<void> {
  const change = { ...patch.set, ...(patch.delete.length > 0 && { delete: patch.delete }), ...more };
  const what = `configure VM ${vm.vmid}`;
  const submit = () =>
    makesVolumes(patch)
      ? api.qemu.startConfigUpdate(vm, change, { signal })
      : api.qemu.updateConfig(vm, change, { signal });
  await api.operations.run<string | null>(vm, { what, submit, signal }).catch((reason: unknown) => {
    if (!api.isOnlyDelayed(reason)) throw reason;
  });
}

/** Whether the patch makes volumes: that may outlast a request, which pveproxy gives up on after 30 s. */
const makesVolumes = ({ set }: ConfigPatch): boolean =>
  Object.entries(set).some(
    ([option, line]) => isVolumeSlot(option) && /^(file=)?[^:,]+:(\d+(\.\d+)?|cloudinit)(,|$)/.test(String(line)),
  );
