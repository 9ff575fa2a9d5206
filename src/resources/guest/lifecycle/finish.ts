import type { ConfigDraft } from "#kit";
import type { GuestAddress } from "#pve";
import type { GuestChange } from "../context.ts";
import { markOf, withoutMark } from "../mark.ts";
import { sendPatch } from "./configure.ts";

type Finishing = Pick<GuestChange, "kind" | "api" | "signal" | "privateState">;

/**
 * The last step of a create: removes the mark, so that no other run resumes it. Protection is set in the same call and not
 * before, since otherwise a failed create could not be removed.
 */
export async function finishCreate(
  context: Finishing,
  guest: GuestAddress,
  draft: ConfigDraft,
  isProtected: boolean,
): Promise<void> {
  const { privateState } = context;
  const marked = String(draft.raw("description") ?? "");
  const text = withoutMark(marked);
  const isMarked = markOf(marked) !== null;
  const set = { ...(isMarked && text !== "" && { description: text }), ...(isProtected && { protection: 1 }) };
  const patch = { set, delete: isMarked && text === "" ? ["description"] : [] };
  await sendPatch(context, guest, patch);
  privateState.mark = null;
}
