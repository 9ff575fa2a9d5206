import type { ConfigDraft } from "#kit";
import type { GuestAddress } from "#pve";
import type { GuestQuery } from "../../guest/context.ts";
import { type IntendedChange, sendPatch } from "../../guest/lifecycle/configure.ts";
import { isCdrom, isCloudInit } from "../blocks/drive-slots.ts";
import { families } from "../slots.ts";

/** PVE appends a drive that is given a disc to the boot order, after it has taken the order it was given. */
export async function restoreBootOrder(
  context: GuestQuery,
  vm: GuestAddress,
  { draft, before }: IntendedChange,
  order: readonly string[] | null | undefined,
): Promise<void> {
  const added = discs(draft).filter((slot) => String(draft.raw(slot)) !== before.options[slot]);
  if (added.length === 0) return;
  const boot = draft.raw("boot");
  if (boot === null || !isOrder(boot)) {
    if (order === null) await forgetOrder(context, vm);
  } else if (order && added.some((slot) => !order.includes(slot))) {
    await sendPatch(context, vm, { set: { boot }, delete: [] });
  }
}

/** In a running VM, PVE appends to the order of before even if that only waits for a restart to go. */
async function forgetOrder(context: GuestQuery, vm: GuestAddress): Promise<void> {
  const options = await context.api.qemu.listPending(vm, { signal: context.signal });
  const isWaiting = options.some(({ key, pending }) => key === "boot" && isOrder(pending));
  if (isWaiting) await sendPatch(context, vm, { set: {}, delete: ["boot"] });
}

const isOrder = (boot: unknown): boolean => String(boot ?? "").includes("order=");

/** Drives a guest could boot from, unlike cloud-init's own. */
const discs = (draft: ConfigDraft): string[] =>
  draft.slots(families.cdroms).filter((slot) => isCdrom(draft, slot) && !isCloudInit(draft, slot));
