import type { ConfigDraft, Session } from "#kit";
import type { VmAddress, VmConfig } from "#pve";
import { cdromFamilies, isCdrom, isCloudInit } from "../blocks/drive-slots.ts";
import { sendPatch } from "./configure.ts";

/** PVE appends a drive that is given a disc to the boot order, after it has taken the order it was given. */
export async function restoreBootOrder(
  context: { readonly api: Session; readonly signal: AbortSignal },
  vm: VmAddress,
  draft: ConfigDraft,
  before: VmConfig,
  order: readonly string[] | null | undefined,
): Promise<void> {
  const added = discs(draft).filter((slot) => String(draft.raw(slot)) !== before.options[slot]);
  const boot = draft.raw("boot");
  if (boot === null || !order || added.every((slot) => order.includes(slot))) return;
  await sendPatch(context, vm, { set: { boot }, delete: [] });
}

/** Drives a guest could boot from, unlike cloud-init's own. */
const discs = (draft: ConfigDraft): string[] =>
  draft.slots(cdromFamilies).filter((slot) => isCdrom(draft, slot) && !isCloudInit(draft, slot));
