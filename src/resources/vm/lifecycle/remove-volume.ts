import { setTimeout as sleep } from "node:timers/promises";
import { isPveError, type Logger, type Session } from "#kit";

interface Removing {
  readonly api: Session;
  readonly log: Logger;
  readonly signal: AbortSignal;
}

/** How often tasks are looked at is how patient one is; by default that is a second. */
const polls = [0, 1, 2, 4];

/** Removes a volume, trying again while its storage refuses. Whether it is gone is returned. */
export async function removeVolume({ api, signal, log }: Removing, node: string, volume: string): Promise<boolean> {
  for (const count of polls) {
    await sleep(count * api.settings.tasks.pollMs, undefined, { signal });
    try {
      const upid = await api.storage.removeVolume(node, volume.split(":")[0] ?? "", volume, { signal });
      if (upid !== null) await api.watch.wait(upid, { signal });
      return true;
    } catch (reason) {
      log.debug("the volume is still in the way", { volume, error: String(reason) });
      if (isPveError(reason, "not_found")) return true;
      if (isPveError(reason, "permission")) return false;
    }
  }
  return false;
}
