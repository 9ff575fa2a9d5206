import { type ConfigDraft, type ConfigPatch, isPveError, type Session } from "#kit";
import type { GuestAddress, GuestConfig } from "#pve";
import { isVolumeSlot } from "../slots.ts";

interface Configuring {
  readonly api: Session;
  readonly signal: AbortSignal;
}

/** How often a change is made anew when somebody else edits the VM at the same moment, or the answer is lost. */
const attempts = 3;

/**
 * Brings a VM's configuration to what `edit` makes of it, in one call; `known` saves reading it first. A change whose
 * answer was lost is not assumed to have failed or to have succeeded: what is there now is read, and edited again.
 */
export async function configure(
  { api, signal }: Configuring,
  vm: GuestAddress,
  known: GuestConfig | null,
  edit: (draft: ConfigDraft) => void,
): Promise<{ draft: ConfigDraft; before: GuestConfig; sent: ConfigPatch }> {
  const isWorthRetrying = (reason: Error) => (isPveError(reason) && reason.mayHaveHappened) || api.isOutdated(reason);
  return api.retry({ attempts, isWorthRetrying }, async (attempt) => {
    const before = (attempt === 1 ? known : null) ?? (await api.qemu.getConfig(vm, {}, { signal }));
    const draft = api.draft(before.options);
    edit(draft);
    const sent = draft.patch;
    await sendPatch({ api, signal }, vm, sent, { digest: before.digest });
    return { draft, before, sent };
  });
}

/** Sends a patch in one call; nothing is sent when there is nothing to say. */
export async function sendPatch(
  { api, signal }: Configuring,
  vm: GuestAddress,
  patch: ConfigPatch,
  more: { readonly digest?: string; readonly force?: boolean } = {},
): Promise<void> {
  if (Object.keys(patch.set).length === 0 && patch.delete.length === 0) return;
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
