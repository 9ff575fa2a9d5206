import { isPveError, repeatableWrite } from "#kit";
import type { GuestAddress } from "#pve";
import type { GuestCreate, GuestMaking, ReadableGuest } from "../context.ts";
import { withMark } from "../mark.ts";
import { type Archive, placesOf, readArchive, refuseMissing } from "./archive.ts";
import { sendPatch } from "./configure.ts";
import { onlyNode, submitNew } from "./new-guest.ts";

/** Data are written at the speed of the storage, and containers show no progress. */
const patienceMs = 60 * 60_000;

/**
 * Makes a guest from a backup. The call itself marks it as unfinished, and overrides its protection; all other settings
 * come from the backup, and `settle` changes them.
 */
export async function restoreGuest(context: GuestMaking, vmid: number, mark: string): Promise<ReadableGuest> {
  const { kind, api, desired, signal } = context;
  const { restore, name, pool, description } = desired;
  const volume = restore?.archive ?? "";
  const guest = { node: desired.node ?? (await nodeOf(context, volume)), vmid };
  const archive = await readArchive(context, guest.node, volume);
  const { options } = archive;
  const request = {
    vmid,
    ...kind.restore.parameters(archive, desired),
    description: withMark(description === undefined ? options["description"] : description, mark),
    ...(name && { [kind.nameOption]: name }),
    ...(pool && { pool }),
    ...(options["protection"] === "1" && { protection: false }),
    ...(restore?.bandwidth_limit && { bwlimit: restore.bandwidth_limit }),
    ...(restore?.unique && { unique: true }),
  };
  const calls = kind.calls(api);
  let isAccepted = false;
  const submit = async () => {
    // A task that failed on a lock is started again.
    if (isAccepted) await discardRemains(context, guest);
    const task = await calls.create(guest.node, request, { signal });
    isAccepted = true;
    return task;
  };
  const what = `restore ${kind.noun} ${vmid} from ${volume}`;
  const draft = kind.draft(api, kind.restore.config(archive, desired));
  const made = await submitNew(context, guest, {
    what,
    task: kind.restore.task,
    submit,
    draft,
    mark,
    patienceMs,
  }).catch(async (reason: unknown) => {
    // A task that is only given up still works on it.
    const isOver = isPveError(reason) && !reason.mayHaveHappened;
    if (isOver && (isAccepted || reason.kind === "task")) await discardRemains(context, guest);
    await refuseMissing(api, guest.node, volume, reason);
    throw reason;
  });
  return withLateOptions(context, made, archive);
}

/** A restored guest whose run ended before it was complete. */
export async function resumeRestored(context: GuestCreate, guest: ReadableGuest): Promise<ReadableGuest> {
  const { desired } = context;
  const archive = await readArchive(context, guest.node, desired.restore?.archive ?? "");
  return withLateOptions(context, guest, archive);
}

/** Sets what the call that restores cannot set, as far as it is missing. */
async function withLateOptions(context: GuestCreate, made: ReadableGuest, archive: Archive): Promise<ReadableGuest> {
  const { kind, api, desired, signal } = context;
  const late = Object.entries(kind.restore.setLater(archive, desired));
  const missing = late.filter(([option]) => !(option in made.config.options));
  if (missing.length === 0) return made;
  const guest = { node: made.node, vmid: made.vmid };
  await sendPatch(context, guest, { set: Object.fromEntries(missing), delete: [] });
  return { ...guest, config: await kind.calls(api).getConfig(guest, {}, { signal }) };
}

async function nodeOf({ kind, api }: GuestCreate, volume: string): Promise<string> {
  const { found } = await placesOf(api, volume);
  const [only, ...others] = found;
  return only !== undefined && others.length === 0 ? only : onlyNode(kind, api);
}

/** A restore of a VM that fails leaves an empty one behind (qemu-server: src/PVE/API2/Qemu.pm, `create_vm`). */
async function discardRemains({ kind, api, signal }: GuestCreate, guest: GuestAddress): Promise<void> {
  const calls = kind.calls(api);
  const left = await calls.findConfig(guest, { signal });
  if (left === null || Object.keys(left.options).length > 0) return;
  const what = `remove the empty ${kind.noun} ${guest.vmid} of a failed restore`;
  // Not in the queue of the guest, in which the restore itself may be.
  const isDone = async () => (await calls.findConfig(guest, { signal })) === null;
  const write = () => api.operations.write({ what, submit: () => calls.remove(guest, {}, { signal }), signal });
  await repeatableWrite(api, { write, isDone, signal });
}
