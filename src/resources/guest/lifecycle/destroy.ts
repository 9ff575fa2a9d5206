import { attachmentsOf, explainTaskWarnings, Failure, removeAfterOthers, repeatableTask, step } from "#kit";
import type { GuestAddress } from "#pve";
import { addressOf } from "../address.ts";
import type { GuestDelete } from "../context.ts";
import { destroyGrace } from "../grace.ts";
import { isAnotherGuest } from "../identity.ts";
import { setIntent } from "../intents.ts";
import { isBeingMade, standingOf, untilMade } from "./being-made.ts";
import { type FoundGuest, findGuest } from "./find.ts";
import { leaveHa } from "./ha.ts";
import { replaceMissingVolume } from "./missing-volume.ts";
import { isIn, stopGuest } from "./power.ts";
import { removeVolume } from "./remove-volume.ts";

/** Removes the guest and its volumes, after a check that it is the one in the state. */
export async function destroyGuest(context: GuestDelete): Promise<void> {
  const attachments = attachmentsOf(context.api);
  setIntent(context.api, context.id.vmid, { isKept: false, name: null });
  attachments.release(context.id.vmid, null);
  let isFirst = true;
  await removeAfterOthers(context, async () => {
    try {
      if (!isFirst) context.api.inventory.forget();
      isFirst = false;
      await destroy(context);
      return null;
    } catch (reason) {
      // Its linked clones may be destroyed in the same run.
      if (reason instanceof Error && context.api.isUsedByClones(reason)) return reason;
      throw reason;
    }
  });
  await attachments.changed(context.id.vmid);
  attachments.unclaim(context.id.vmid);
}

async function destroy(context: GuestDelete): Promise<void> {
  const { kind, api, id, state, privateState, signal, log } = context;
  const found = await findGuest(context, id.vmid);
  if (found === null) return;
  if (found.config === null) {
    throw new Failure("Node offline", `${kind.title} ${id.vmid} is on ${found.node}, which does not answer.`);
  }
  const guest = addressOf(found);
  if (privateState.mark !== null && isBeingMade(kind, found.config)) {
    await untilCreateIsOver(context, guest);
    return destroy(context);
  }
  if (isForeign(context, found)) return;
  if (found.config.options["protection"] === "1") {
    throw new Failure(
      `${kind.title} is protected`,
      "Nothing was changed. Set `protection = false` and apply that first.",
      { path: "protection" },
    );
  }
  if (found.status === "running") await stopGuest(context, guest, destroyGrace(state));
  await kind.beforeDestroy(context, found);
  await leaveHa(context);
  const request = {
    purge: state.destroy?.purge ?? true,
    "destroy-unreferenced-disks": state.destroy?.unreferenced_disks ?? false,
  };
  const submit = () => kind.calls(api).remove(guest, request, { signal });
  const isDone = async () => (await kind.calls(api).findConfig(guest, { signal })) === null;
  const what = `destroy ${kind.noun} ${id.vmid}`;
  const attempt = () => repeatableTask(api, guest, { what, submit, isDone, signal });
  const remove = async (missing = ""): Promise<Awaited<ReturnType<typeof attempt>>> =>
    attempt().catch(async (reason: unknown) => {
      if (String(reason) === missing || !(await replaceMissingVolume(context, found, reason))) throw reason;
      return remove(String(reason));
    });
  privateState.isDestroyBegun = true;
  const task = await step(log, "destroy", { vmid: id.vmid }, () =>
    remove().catch(async (reason: unknown) => {
      // One view of the cluster serves all guests of a run: this one may have been started since.
      const isStarted = found.status !== "running" && (await isIn(context, guest, "running").catch(() => false));
      if (!isStarted) throw reason;
      await stopGuest(context, guest, destroyGrace(state));
      return remove();
    }),
  );
  api.inventory.remove(id.vmid);
  await removeLeftovers(context, found.node, task?.warnings ?? []);
}

/** Its create was given up, and may go on. PVE does not destroy a guest that is locked. */
async function untilCreateIsOver(context: GuestDelete, guest: GuestAddress): Promise<void> {
  const { kind, api } = context;
  const left = await untilMade(context, guest);
  api.inventory.forget();
  if (left === null || !isBeingMade(kind, left)) return;
  const { tool } = kind;
  throw new Failure(
    `${kind.title} ${guest.vmid} is locked`,
    `Its create was interrupted, and no task works on it any more, but it still has the lock "${left.lock}". Look at it on ${guest.node}. If it is the one that Terraform was creating, run \`${tool} unlock ${guest.vmid}\` there, and apply again. If it is not, run \`terraform state rm ADDRESS\`.`,
  );
}

/** Another guest with this VMID is not destroyed. The one in the state no longer exists, which is what destroy is for. */
function isForeign({ kind, id, privateState, report }: GuestDelete, found: FoundGuest): boolean {
  const seen = kind.fingerprint(found.config.options);
  const isOther = isAnotherGuest({ kind, vmid: id.vmid, known: privateState.fingerprint, seen });
  if (!isOther && standingOf(kind, privateState, found.config) !== "foreign") return false;
  report.warning(
    null,
    `VMID ${id.vmid} is another ${kind.noun} now`,
    `"${found.config.name ?? `${kind.title} ${id.vmid}`}" on ${found.node} is not the ${kind.noun} that was created here, and is left alone. The one that was created here is gone.`,
  );
  return true;
}

/** PVE destroys a guest even if a volume cannot be removed, and reports that only in the task's log. */
async function removeLeftovers(context: GuestDelete, node: string, warnings: readonly string[]): Promise<void> {
  const { kind, api, report, id } = context;
  for (const line of warnings) {
    const left = api.readLeftVolume(line);
    if (left === null) continue;
    explainTaskWarnings([line]);
    // A volume that its storage no longer has is not left behind.
    if (api.readMissingVolume(left.reason) !== null) continue;
    if (!(await removeVolume(context, node, left.volume))) {
      report.warning(
        null,
        `Volume ${left.volume} is left behind`,
        `${kind.title} ${id.vmid} is gone, but this volume of it could not be removed: ${left.reason}\nRemove it on ${node} when the storage allows it.`,
      );
    }
  }
}
