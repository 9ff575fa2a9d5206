import { Activity, announceChange, announcedWith, type Session } from "#kit";

/** How long no other change of a firewall may begin before none is waited for. */
const quietMs = 1000;

/** How long nothing at all may be under way before changes that were announced count as waiting for this one. */
const patienceMs = 2000;

const scope = { name: "firewall" };

const activityOf = (api: Session): Activity => api.store.keep("changes of firewalls", () => new Activity());

const doneIn = (api: Session): Set<string> => api.store.keep("changes of firewalls that are made", () => new Set());

/** One change of a firewall: the type of the resource and its ID. */
export type ChangeKey = `proxmox_firewall_${string} ${string}`;

/** What the private data of these resources has, in the plan of a change. */
interface Noted {
  staged?: ReturnType<typeof announceChange>;
}

/** Leaves a note for the apply of this run. Null: nothing changes. */
export function announce(api: Session, privateState: object, key: ChangeKey | null): void {
  const noted = privateState as Noted;
  delete noted.staged;
  if (key !== null) noted.staged = announceChange(api, scope, key);
}

/** Work on a firewall. */
export async function changingFirewall<T>(api: Session, key: ChangeKey, work: () => Promise<T>): Promise<T> {
  try {
    return await activityOf(api).during(work);
  } finally {
    doneIn(api).add(key);
  }
}

/**
 * Waits for the other changes of firewalls: those that the plan of this run announced, as long as anything is under way
 * that they may wait for, and those that begin within a moment.
 */
export async function awaitOtherChanges(api: Session, key: ChangeKey, signal: AbortSignal): Promise<void> {
  const announced = (announcedWith(api, scope, key) ?? []).filter((one) => one !== key);
  const isSettled = () => announced.every((one) => doneIn(api).has(one));
  await api.changes.until(isSettled, patienceMs, signal);
  while (await activityOf(api).next(quietMs, signal));
}

/** Waits until another change of a firewall is over; false if none is under way, and none begins within a moment. */
export async function isAnotherChangeOver(api: Session, signal: AbortSignal): Promise<boolean> {
  const activity = activityOf(api);
  const before = activity.ended;
  await activity.until(() => activity.ended > before, quietMs, signal);
  return activity.ended > before;
}
