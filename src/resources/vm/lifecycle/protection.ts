import type { ConfigDraft } from "#kit";
import type { GuestAddress } from "#pve";
import type { VmUpdate } from "../contexts.ts";
import { sendPatch } from "./configure.ts";

const isProtected = (draft: ConfigDraft): boolean => Number(draft.raw("protection") ?? 0) === 1;

/** Takes protection out of a VM that is not complete yet. Returns whether it is to be protected in the end. */
export function withholdProtection(draft: ConfigDraft): boolean {
  const isWanted = isProtected(draft);
  if (isWanted) draft.set("protection", null);
  return isWanted;
}

/** PVE takes no drive out of a VM while it is protected, even if the same call ends that. */
export async function endProtection(context: VmUpdate, vm: GuestAddress, before: ConfigDraft): Promise<void> {
  const { changes, desired } = context;
  if (!isProtected(before) || !changes.has("protection") || desired.protection) return;
  await sendPatch(context, vm, { set: { protection: 0 }, delete: [] });
}
