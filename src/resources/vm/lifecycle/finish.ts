import { type ConfigDraft, isPveError } from "#kit";
import type { VmAddress } from "#pve";
import type { VmSettle } from "../contexts.ts";
import { sendPatch } from "./configure.ts";
import { markOf, withoutMark } from "./mark.ts";

/** How often it is said when the answer is lost; saying it twice does no harm. */
const attempts = 3;

/** The last step of a creation: from now on the VM counts as complete, and nobody goes on with it any more. */
export async function takeMarkOff(context: VmSettle, vm: VmAddress, draft: ConfigDraft): Promise<void> {
  const marked = String(draft.raw("description") ?? "");
  if (markOf(marked) === null) return;
  const text = withoutMark(marked);
  const patch = text === "" ? { set: {}, delete: ["description"] } : { set: { description: text }, delete: [] };
  for (let attempt = 1; ; attempt++) {
    try {
      return await sendPatch(context, vm, patch);
    } catch (reason) {
      if (attempt === attempts || !isPveError(reason) || !reason.mayHaveHappened) throw reason;
    }
  }
}
