import { setTimeout as sleep } from "node:timers/promises";
import { isPveError, type Session } from "#kit";

/** How long a node may be away, in intervals of the polling of tasks. */
const patiencePolls = 60;

/** Whether the node answers. A reload of its network can take the connection away for a moment. */
export async function awaitNode(api: Session, node: string, signal: AbortSignal): Promise<boolean> {
  const until = performance.now() + patiencePolls * api.settings.tasks.pollMs;
  for (;;) {
    try {
      await api.network.listStaged(node, { signal });
      return true;
    } catch (reason) {
      if (!isPveError(reason, "unreachable", "timeout")) throw reason;
      if (performance.now() > until) return false;
      await sleep(api.settings.tasks.pollMs, undefined, { signal });
    }
  }
}
