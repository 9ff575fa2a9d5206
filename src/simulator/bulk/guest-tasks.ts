import { failureText } from "../core/kernel/failure.ts";
import type { Task, WorkerBody } from "../core/kernel/process.ts";
import type { Guest } from "../core/world/guest.ts";
import type { World } from "../core/world/world.ts";
import { isHaManaged } from "../guests/ha.ts";

// The common part of calls that act on many guests: pve-manager `PVE/API2/Nodes.pm`.

const lastOrder = 1_000_000;

function startupOrder({ config }: Guest): number {
  return Number(/(?:^|,)(?:order=)?(\d+)(?:,|$)/.exec(config["startup"] ?? "")?.[1] ?? lastOrder);
}

/** Guests in their start-up order, without templates, which cannot start, and HA-managed guests, which HA starts. */
export function inStartupOrder(world: World, isMeant: (guest: Guest) => boolean): Guest[] {
  return Object.values(world.guests)
    .filter((guest) => guest.config["template"] !== "1" && !isHaManaged(world, guest.vmid) && isMeant(guest))
    .sort((a, b) => startupOrder(a) - startupOrder(b) || a.vmid - b.vmid);
}

export const nounOf = ({ type }: Guest) => (type === "qemu" ? "VM" : "CT");

/** Does the work in a separate task on the guest's node; returns undefined on success, otherwise the error. */
export async function runGuestTask(
  task: Task,
  guest: Guest,
  type: string,
  body: WorkerBody,
): Promise<string | undefined> {
  const { promise, resolve } = Promise.withResolvers<string | undefined>();
  const { caller, sim } = task;
  sim.workers.fork({
    node: guest.node,
    caller,
    type,
    id: String(guest.vmid),
    body: async (worker) => {
      try {
        await body(worker);
        resolve(undefined);
      } catch (thrown) {
        resolve(failureText(thrown).trimEnd());
        throw thrown;
      }
    },
  });
  return await promise;
}
