import type { Privilege } from "../core/access/privileges.ts";
import { type Call, endpoint } from "../core/kernel/endpoint.ts";
import { die, failureText, paramError, permissionError } from "../core/kernel/failure.ts";
import type { Task } from "../core/kernel/process.ts";
import { splitList } from "../core/schema/format.ts";
import { vmidListFormat } from "../core/schema/formats.ts";
import { boolean, integer, string } from "../core/schema/schema.ts";
import { node } from "../core/schema/standard-options.ts";
import type { Guest } from "../core/world/guest.ts";
import { drivers } from "../ha/drivers.ts";
import { suspendVm } from "../qemu/power/suspend.ts";
import { inStartupOrder, nounOf, runGuestTask } from "./guest-tasks.ts";

// pve-manager `PVE/API2/Nodes.pm`, `startall` and `stopall`: one task that handles the guests of a node in turn.

/** The selected guests of the node, in their start-up order. */
function selection(task: Task, vms: string | undefined, isWanted: (guest: Guest) => boolean): Guest[] {
  const listed = vms === undefined ? undefined : splitList(vms);
  return inStartupOrder(
    task.sim.world,
    (guest) =>
      guest.node === task.node && (listed === undefined ? isWanted(guest) : listed.includes(String(guest.vmid))),
  );
}

/** Requires the privileges on everything, or on each listed guest. */
function checkPrivileges(
  { caller }: Pick<Call, "caller">,
  vms: string | undefined,
  privileges: readonly Privilege[] = ["VM.PowerMgmt"],
): void {
  if (caller.has("/", privileges)) {
    return;
  }
  const listed = splitList(vms ?? "");
  if (listed.length === 0) {
    permissionError(`/, ${privileges.join(" && ")}`);
  }
  for (const vmid of listed) {
    caller.check(`/vms/${vmid}`, privileges.slice(0, 1));
  }
}

async function each(task: Task, guests: readonly Guest[], action: "start" | "stop"): Promise<void> {
  for (const guest of guests) {
    const noun = nounOf(guest);
    const verb = action === "start" ? "Starting" : "Stopping";
    task.print(`${verb} ${noun} ${guest.vmid}`);
    try {
      await drivers[guest.type === "qemu" ? "vm" : "ct"][action].run(task, guest.vmid);
    } catch (thrown) {
      task.print(`${verb} ${noun} ${guest.vmid} failed: ${failureText(thrown).trimEnd()}`);
    }
  }
}

/** Starts the guests that start with their node, or the listed guests. */
export function startAll(task: Task, vms?: string, force = false): Promise<void> {
  const isWanted = ({ config }: Guest) => force || config["onboot"] === "1";
  const stopped = selection(task, vms, isWanted).filter(({ run }) => run === undefined);
  return each(task, stopped, "start");
}

const common = { method: "POST", protected: true, proxyTo: "node", permissions: { user: "all" } } as const;
const vms = string({ optional: true, format: vmidListFormat });
const maxWorkers = integer({ optional: true, minimum: 1, maximum: 64 });

export const nodeBulkEndpoints = [
  endpoint({
    ...common,
    path: "/nodes/{node}/startall",
    parameters: { node, vms, force: boolean({ optional: true, default: "off" }), "max-workers": maxWorkers },
    handler: (call) => {
      const { vms: listed, force } = call.params;
      checkPrivileges(call, listed);
      return call.worker("startall", "", (task) => startAll(task, listed, force === 1));
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
      checkPrivileges(call, listed);
      return call.worker("stopall", "", (task) => {
        const running = selection(task, listed, () => true).filter(({ run }) => run !== undefined);
        return each(task, running.reverse(), "stop");
      });
    },
  }),
  endpoint({
    ...common,
    path: "/nodes/{node}/suspendall",
    parameters: { node, vms, "max-workers": maxWorkers },
    handler: (call) => {
      const { vms: listed } = call.params;
      checkPrivileges(call, listed, ["VM.PowerMgmt", "VM.Config.Disk"]);
      return call.worker("suspendall", "", async (task) => {
        const running = selection(task, listed, () => true).filter(({ run }) => run !== undefined);
        for (const guest of running.reverse()) {
          if (guest.type === "qemu") {
            const options = { todisk: true, storage: undefined, skip: false };
            await runGuestTask(task, guest, "qmsuspend", (worker) => suspendVm(worker, guest.vmid, options));
          } else {
            task.warn(`skipping ${guest.vmid}, only VMs can be suspended`);
          }
        }
      });
    },
  }),
  endpoint({
    ...common,
    path: "/nodes/{node}/migrateall",
    parameters: {
      node,
      target: node,
      vms,
      maxworkers: maxWorkers,
      "max-workers": maxWorkers,
      "with-local-disks": boolean({ optional: true }),
    },
    handler: (call) => {
      const { vms: listed, target } = call.params;
      checkPrivileges(call, listed, ["VM.Migrate"]);
      if (target === call.node) {
        paramError({ target: "target is local node." });
      }
      if (call.world.nodes[target] === undefined) {
        die(`no such cluster node '${target}'`);
      }
      const limit = call.params["max-workers"] ?? call.params.maxworkers ?? call.world.cluster.options["max_workers"];
      if (limit === undefined) {
        die("either 'max-workers' parameter or max_workers in datacenter.cfg must be set!");
      }
      return call.worker("migrateall", "", (task) =>
        migrateAll(
          task,
          selection(task, listed, () => true),
          target,
        ),
      );
    },
  }),
];

async function migrateAll(task: Task, guests: readonly Guest[], target: string): Promise<void> {
  if (guests.length === 0) {
    task.print("no virtual guests matched, nothing to do..");
    return;
  }
  for (const guest of guests) {
    task.print(`Migrating ${nounOf(guest)} ${guest.vmid}`);
    const driver = drivers[guest.type === "qemu" ? "vm" : "ct"].move;
    await runGuestTask(task, guest, driver.type, (worker) => driver.run(worker, guest.vmid, target));
  }
  task.print(`All jobs finished, used ${guests.length} workers in total.`);
}
