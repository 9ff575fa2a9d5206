import { ConfigDraft, type Members, patchWired } from "#kit";
import type { GuestAddress, GuestConfig } from "#pve";
import type { GuestQuery } from "./context.ts";
import type { GuestKind } from "./kind.ts";
import { pendingOptions } from "./lifecycle/pending.ts";

/**
 * Options that PVE shows although the next start removes them: those whose value is `0` (qemu-server:
 * src/PVE/API2/Qemu.pm, `vm_config`; pve-container: src/PVE/API2/LXC/Config.pm).
 */
export async function shownRemovals(
  query: GuestQuery,
  guest: GuestAddress,
  { options }: GuestConfig,
): Promise<readonly string[]> {
  if (!Object.values(options).some((value) => String(value) === "0")) return [];
  const { removed } = await pendingOptions(query, guest);
  return removed.filter((option) => option in options);
}

export const forgetOptions = (draft: ConfigDraft, options: readonly string[]): void => {
  for (const option of options) draft.forget(option);
};

interface Change {
  readonly changed: Members;
  readonly wanted: Members;
  /** Options that were removed although `wanted` has them. */
  readonly removed: readonly string[];
}

/** Writes a change into a draft; options that were removed are set again where they are wanted. */
export function patchSettings({ settings }: GuestKind, draft: ConfigDraft, { changed, wanted, removed }: Change): void {
  patchWired(settings, changed, draft);
  if (removed.length === 0) return;
  const whole = new ConfigDraft({}, draft.codecs);
  patchWired(settings, wanted, whole);
  for (const option of removed) if (!draft.has(option)) draft.set(option, whole.raw(option));
}
