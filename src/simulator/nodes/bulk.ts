import { drivers } from "../ha/drivers.ts";
import { isHaManaged } from "../ha/services.ts";
import { type Call, endpoint } from "../kernel/endpoint.ts";
import { failureText, permissionError } from "../kernel/failure.ts";
import type { Task } from "../kernel/process.ts";
import { splitList } from "../schema/format.ts";
import { vmidListFormat } from "../schema/formats.ts";
import { boolean, integer, string } from "../schema/schema.ts";
import { node } from "../schema/standard-options.ts";
import type { Guest } from "../world/guest.ts";

// pve-manager `PVE/API2/Nodes.pm`, `startall` and `stopall`: one task that sees to every guest of a node in turn.

const lastOrder = 1_000_000;

function startupOrder({ config }: Guest): number {
  return Number(/(?:^|,)(?:order=)?(\d+)(?:,|$)/.exec(config["startup"] ?? "")?.[1] ?? lastOrder);
}

/** Guests of the node in their start-up order; HA-managed ones are HA's business. */
function selection(task: Task, vms: string | undefined, isWanted: (guest: Guest) => boolean): Guest[] {
  const { world } = task.sim;
  const listed = vms === undefined ? undefined : splitList(vms);
  return Object.values(world.guests)
    .filter((guest) => guest.node === task.node && guest.config["template"] !== "1" && !isHaManaged(world, guest.vmid))
    .filter((guest) => (listed === undefined ? isWanted(guest) : listed.includes(String(guest.vmid))))
    .sort((a, b) => startupOrder(a) - startupOrder(b) || a.vmid - b.vmid);
}

/** Rights on everything, or on each guest that is named. */
function checkRights({ caller }: Pick<Call, "caller">, vms: string | undefined): void {
  if (caller.has("/", ["VM.PowerMgmt"])) {
    return;
  }
  const listed = splitList(vms ?? "");
  if (listed.length === 0) {
    permissionError("/, VM.PowerMgmt");
  }
  for (const vmid of listed) {
    caller.check(`/vms/${vmid}`, ["VM.PowerMgmt"]);
  }
}

async function each(task: Task, guests: readonly Guest[], action: "start" | "stop"): Promise<void> {
  for (const guest of guests) {
    const noun = guest.type === "qemu" ? "VM" : "CT";
    const verb = action === "start" ? "Starting" : "Stopping";
    task.print(`${verb} ${noun} ${guest.vmid}`);
    try {
      await drivers[guest.type === "qemu" ? "vm" : "ct"][action].run(task, guest.vmid);
    } catch (thrown) {
      task.print(`${verb} ${noun} ${guest.vmid} failed: ${failureText(thrown).trimEnd()}`);
    }
  }
}

const common = { method: "POST", protected: true, proxyTo: "node", permissions: { user: "all" } } as const;
const vms = string({ optional: true, format: vmidListFormat });
const maxWorkers = integer({ optional: true, minimum: 1, maximum: 64 });

export const bulkEndpoints = [
  endpoint({
    ...common,
    path: "/nodes/{node}/startall",
    parameters: { node, vms, force: boolean({ optional: true, default: "off" }), "max-workers": maxWorkers },
    handler: (call) => {
      const { vms: listed, force } = call.params;
      checkRights(call, listed);
      return call.worker("startall", "", (task) => {
        const isWanted = (guest: Guest) => force === 1 || guest.config["onboot"] === "1";
        const stopped = selection(task, listed, isWanted).filter(({ run }) => run === undefined);
        return each(task, stopped, "start");
      });
    },
  }),
  endpoint({
    ...common,
    path: "/nodes/{node}/stopall",
    parameters: {
      node,
      vms,
      "force-stop": boolean({ optional: true, default: 1 }),
      timeout: integer({ optional: true, minimum: 0, maximum: 7200, default: 180 }),
      "max-workers": maxWorkers,
    },
    handler: (call) => {
      const { vms: listed } = call.params;
      checkRights(call, listed);
      return call.worker("stopall", "", (task) => {
        const running = selection(task, listed, () => true).filter(({ run }) => run !== undefined);
        return each(task, running.reverse(), "stop");
      });
    },
  }),
];
