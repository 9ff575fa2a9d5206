import type { GuestAddress, GuestType, Snapshot } from "#pve";
import { provenTask } from "./proven-task.ts";
import type { Session } from "./session.ts";

export interface LocatedGuest extends GuestAddress {
  readonly type: GuestType;
}

interface Work {
  readonly api: Session;
  readonly guest: LocatedGuest;
  readonly signal: AbortSignal;
}

/** Memory is written at the speed of the storage, and shows little progress. */
const patienceMs = 30 * 60_000;

const callsOf = (api: Session, { type }: LocatedGuest) => (type === "qemu" ? api.snapshots : api.containerSnapshots);

export const listSnapshots = (api: Session, guest: LocatedGuest, signal?: AbortSignal): Promise<Snapshot[]> =>
  callsOf(api, guest).list(guest, { signal });

/** The snapshot, complete or not; null if there is none. */
export async function findSnapshot(
  api: Session,
  guest: LocatedGuest,
  name: string,
  signal?: AbortSignal,
): Promise<Snapshot | null> {
  return (await listSnapshots(api, guest, signal)).find((one) => one.name === name) ?? null;
}

/** One that is not complete has a `snapstate`: a task is at work, or its worker was killed. */
export const isComplete = (snapshot: Snapshot): boolean => snapshot["snapstate"] === undefined;

async function markOf({ api, guest, signal }: Work, name: string) {
  const found = await findSnapshot(api, guest, name, signal);
  if (found === null) return "absent";
  return isComplete(found) ? "ours" : "busy";
}

interface Wish {
  readonly name: string;
  readonly description?: string | null | undefined;
  readonly memory?: boolean | null | undefined;
}

/** Takes a snapshot. A lost answer is proved: it is never taken twice. */
export async function takeSnapshot(work: Work, { name, description, memory }: Wish): Promise<void> {
  const { api, guest, signal } = work;
  const request = { snapname: name, ...(description && { description }) };
  const submit = () =>
    guest.type === "qemu"
      ? api.snapshots.create(guest, { ...request, ...(memory && { vmstate: true }) }, { signal })
      : api.containerSnapshots.create(guest, request, { signal });
  const task = { type: guest.type === "qemu" ? "qmsnapshot" : "vzsnapshot", id: String(guest.vmid) };
  const what = `take snapshot ${name} of guest ${guest.vmid}`;
  const findMark = () => markOf(work, name);
  await provenTask(api, { what, node: guest.node, guest, task, submit, findMark, patienceMs, signal });
}

/** Removes a snapshot, if it exists. */
export async function removeSnapshot(work: Work, name: string): Promise<void> {
  const { api, guest, signal } = work;
  const found = await findSnapshot(api, guest, name, signal);
  if (found === null) return;
  const { remove, removeRest } = callsOf(api, guest);
  const submit = () => (isComplete(found) ? remove : removeRest)(guest, name, { signal });
  const task = { type: guest.type === "qemu" ? "qmdelsnapshot" : "vzdelsnapshot", id: String(guest.vmid) };
  const what = `remove snapshot ${name} of guest ${guest.vmid}`;
  // What is gone was removed by the lost call, or by another client: both will do.
  const findMark = async () => ((await findSnapshot(api, guest, name, signal)) === null ? "ours" : "absent");
  await provenTask(api, { what, node: guest.node, guest, task, submit, findMark, patienceMs, signal });
}
