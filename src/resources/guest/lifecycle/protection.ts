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

/** PVE removes no volume from a protected guest, even if the same call ends the protection. */
export async function endProtection(context: GuestUpdate, guest: GuestAddress, before: ConfigDraft): Promise<void> {
  const { changes, desired } = context;
  if (!isProtected(before) || !changes.has("protection") || desired.protection) return;
  await sendPatch(context, guest, { set: { protection: 0 }, delete: [] });
}
