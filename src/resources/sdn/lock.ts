import { Failure, isPveError, LockNote, type Session } from "#kit";

const noteOf = (api: Session): LockNote => api.store.keep("lock of the SDN", () => new LockNote(api, "sdn"));

/**
 * Releases the lock that a killed run of this machine has left behind. PVE checks its token, so the lock of another client
 * stays.
 */
export async function releaseAbandoned(api: Session): Promise<void> {
  const token = noteOf(api).abandoned();
  if (token === null) return;
  await api.sdn.unlock({ token }).catch((reason: unknown) => {
    if (!isPveError(reason, "locked")) throw reason;
  });
  noteOf(api).release(token);
}

/** Takes the lock for the work, which releases it if it succeeds. Before an error it is released. */
export async function underLock<T>(api: Session, work: (token: string) => Promise<T>): Promise<T> {
  await releaseAbandoned(api);
  const token = await take(api);
  noteOf(api).hold(token);
  try {
    const result = await work(token);
    noteOf(api).release(token);
    return result;
  } catch (reason) {
    await release(api, token);
    throw reason;
  }
}

/** A second attempt succeeds if the first one never arrived. */
async function take(api: Session): Promise<string> {
  try {
    return await api.sdn.lock();
  } catch (reason) {
    if (!isPveError(reason) || !reason.mayHaveHappened) throw reason;
    try {
      return await api.sdn.lock();
    } catch (second) {
      if (!isPveError(second, "locked")) throw second;
      const detail =
        "The answer to the request for the lock of the SDN was lost, and the lock is held since: by this run without its token, or by another client. What this run has staged waits, and is not in effect. If nothing else changes the SDN, run the action `proxmox_sdn_apply` with `break_lock = true`; then run this again.";
      throw new Failure("Lock of the SDN held", detail, { cause: second });
    }
  }
}

/** Of a lock that is released already, PVE says the same. */
async function release(api: Session, token: string): Promise<void> {
  try {
    await api.sdn.unlock({ token });
    noteOf(api).release(token);
  } catch (reason) {
    if (isPveError(reason, "locked")) noteOf(api).release(token);
    else noteOf(api).hold(token, { isGivenUp: true });
  }
}
