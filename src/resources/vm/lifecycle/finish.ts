import type { ConfigDraft } from "#kit";
import type { GuestAddress } from "#pve";
import { markOf, withoutMark } from "../../guest/mark.ts";
import type { VmSettle } from "../contexts.ts";
import { sendPatch } from "./configure.ts";

type Finishing = Pick<VmSettle, "api" | "signal" | "privateState">;

/**
 * The last step of a creation: from now on the VM counts as complete, and nobody goes on with it any more. Protection comes
 * with it and not before, or a creation that failed could not be removed.
 */
export async function finishVm(
  context: Finishing,
  vm: GuestAddress,
  draft: ConfigDraft,
  protection: boolean,
): Promise<void> {
  const { privateState } = context;
  const marked = String(draft.raw("description") ?? "");
  const text = withoutMark(marked);
  const isMarked = markOf(marked) !== null;
  const set = { ...(isMarked && text !== "" && { description: text }), ...(protection && { protection: 1 }) };
  const patch = { set, delete: isMarked && text === "" ? ["description"] : [] };
  await sendPatch(context, vm, patch);
  privateState.mark = null;
}
