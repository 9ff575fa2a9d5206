import { setTimeout as sleep } from "node:timers/promises";
import { isPveError, type Logger, type Session } from "#kit";

interface Context {
  readonly api: Session;
  readonly log: Logger;
  readonly signal: AbortSignal;
}

const isMissing = (api: Session, reason: unknown): boolean =>
  isPveError(reason) && api.readMissingVolume(reason.message) !== null;

/** Pauses between the attempts, as multiples of the poll interval of tasks: by default a second. */
const polls = [0, 1, 2, 4];

/** Removes a volume; tries again while its storage refuses. Returns whether it no longer exists. */
export async function removeVolume({ api, signal, log }: Context, node: string, volume: string): Promise<boolean> {
  for (const count of polls) {
    await sleep(count * api.settings.tasks.pollMs, undefined, { signal });
    try {
      const upid = await api.storage.removeVolume(node, volume.split(":")[0] ?? "", volume, { signal });
      if (upid !== null) await api.watch.wait(upid, { signal });
      return true;
    } catch (reason) {
      log.debug("the volume cannot be removed yet", { volume, error: String(reason) });
      if (isPveError(reason, "not_found") || isMissing(api, reason)) return true;
      if (isPveError(reason, "permission")) return false;
    }
  }
  return false;
}
