import { attachmentsOf, type ConfigDraft, Failure, patchWired, step, withAftermath } from "#kit";
import { obstaclesTo } from "../adoption.ts";
import type { GuestSettle } from "../context.ts";
import { sendPatch } from "./configure.ts";
import { rememberConfigured } from "./remember.ts";

/**
 * Takes over an existing guest: one call changes the settings that are written. It is refused if another user has changed
 * the guest since the plan. A failure leaves the guest out of the state, so that no later apply destroys it.
 */
export async function settleAdopted(context: GuestSettle): Promise<void> {
  const { kind, id, handover, log } = context;
  try {
    await step(log, "config", { vmid: id.vmid }, () => changeSettings(context));
  } catch (reason) {
    throw withAftermath(
      reason,
      `${kind.title} ${id.vmid} on ${handover.node} was not taken over: it is not in the state, and nothing of it was removed. Correct the cause, and apply again.`,
    );
  }
}

async function changeSettings(context: GuestSettle): Promise<void> {
  const { kind, api, id, desired, privateState, handover } = context;
  const guest = { node: handover.node, vmid: id.vmid };
  const { options, digest } = handover.config;
  const [before, after] = [kind.draft(api, options), kind.draft(api, options)];
  patchWired(kind.settings, kind.keepPinned(desired, after), after);
  refuseVolumes(context, before, after);
  await sendPatch(context, guest, after.patch, { digest });
  await attachmentsOf(api).changed(id.vmid);
  delete privateState.adopting;
  privateState.fingerprint = kind.fingerprint(after.config);
  rememberConfigured(context);
}

/** The plan has checked what it knew. Values that were unknown then are checked here. */
function refuseVolumes({ kind, id, desired }: GuestSettle, before: ConfigDraft, after: ConfigDraft): void {
  const [first] = obstaclesTo(kind, desired, { before, after });
  if (first) throw new Failure(`${kind.title} ${id.vmid} cannot be adopted`, `${first.why}.`, { path: first.path });
}
