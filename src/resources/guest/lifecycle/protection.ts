import type { ConfigDraft } from "#kit";
import type { GuestAddress } from "#pve";
import type { GuestUpdate } from "../context.ts";
import { sendPatch } from "./configure.ts";

const isProtected = (draft: ConfigDraft): boolean => Number(draft.raw("protection") ?? 0) === 1;

/** Removes the protection of a guest that is not complete yet. Returns whether it is to be protected in the end. */
export function withholdProtection(draft: ConfigDraft): boolean {
  const isWanted = isProtected(draft);
  if (isWanted) draft.set("protection", null);
  return isWanted;
}

/**
 * PVE removes no volume from a protected guest: one that loses some, or its cloud-init drive, is protected last. Returns what to
 * do before that, and whether anything is left then.
 */
export function protectLast<T extends GuestUpdate>(context: T, before: ConfigDraft, leaves: boolean) {
  const { changes, desired, prior } = context;
  const isNew = changes.has("protection") && desired.protection === true && !isProtected(before);
  const isLast = isNew && (leaves || changes.has("cloud_init"));
  return { isLast, first: isLast ? { ...context, desired: { ...desired, protection: prior.protection } } : context };
}

export const protect = (context: GuestUpdate, guest: GuestAddress): Promise<unknown> =>
  sendPatch(context, guest, { set: { protection: 1 }, delete: [] });

/** PVE removes no volume from a protected guest, even if the same call ends the protection. */
export async function endProtection(context: GuestUpdate, guest: GuestAddress, before: ConfigDraft): Promise<void> {
  const { changes, desired } = context;
  if (!isProtected(before) || !changes.has("protection") || desired.protection) return;
  await sendPatch(context, guest, { set: { protection: 0 }, delete: [] });
}
