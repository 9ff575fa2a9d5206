import type { Privilege } from "../core/access/privileges.ts";
import { type Call, endpoint } from "../core/kernel/endpoint.ts";
import { die, permissionError } from "../core/kernel/failure.ts";
import { indexEndpoint } from "../core/kernel/index-endpoint.ts";
import type { Task } from "../core/kernel/process.ts";
import { storageIdFormat } from "../core/schema/formats.ts";
import { array, boolean, integer, string } from "../core/schema/schema.ts";
import { node, vmid } from "../core/schema/standard-options.ts";
import type { Guest } from "../core/world/guest.ts";
import { drivers } from "../ha/drivers.ts";
import { suspendVm } from "../qemu/power/suspend.ts";
import { inStartupOrder, nounOf, runGuestTask } from "./guest-tasks.ts";

// pve-manager `PVE/API2/Cluster/BulkAction/Guest.pm`: one task that starts a task for each guest in turn.

/** Acts on a guest: returns undefined if there is nothing to do, otherwise the error or an empty text. */
type Action = (task: Task, guest: Guest) => Promise<string | undefined>;

interface Bulk {
  readonly vms: readonly number[];
  readonly privileges: readonly Privilege[];
  readonly type: string;
  /** `Starting`, and the text after the word `guests`. */
  readonly headline: readonly [verb: string, suffix?: string];
  readonly reverse?: boolean;
  readonly action: Action;
  readonly failure: { readonly each: string; readonly all: string };
}

function checkPrivileges({ caller }: Call, vms: readonly number[], privileges: readonly Privilege[]): void {
  for (const id of vms) {
    caller.check(`/vms/${id}`, privileges);
  }
  if (vms.length === 0 && !caller.has("/", privileges)) {
    permissionError(`/, ${privileges.join(", ")}`);
  }
}

function startBulk(call: Call, bulk: Bulk): string {
  const { vms, headline, action, failure } = bulk;
  checkPrivileges(call, vms, bulk.privileges);
  return call.worker(bulk.type, "", async (task) => {
    const [verb, suffix = ""] = headline;
    task.print(vms.length > 0 ? `${verb} guests${suffix}: ${vms.join(", ")}` : `${verb} all guests${suffix}`);
    const guests = inStartupOrder(task.sim.world, ({ vmid: id }) => vms.length === 0 || vms.includes(id));
    const failed: number[] = [];
    for (const guest of bulk.reverse === true ? guests.reverse() : guests) {
      const problem = await action(task, guest);
      if (problem !== undefined) {
        task.warn(`${failure.each} ${nounOf(guest)} ${guest.vmid} failed: ${problem}`);
        failed.push(guest.vmid);
      }
    }
    if (failed.length > 0) {
      die(`Some guests failed to ${failure.all} ${failed.join(", ")}`);
    }
  });
}

const start: Action = async (task, guest) => {
  const isPaused = guest.run?.paused === true;
  if (guest.run !== undefined && !isPaused) {
    task.warn(`Skipping ${nounOf(guest)} ${guest.vmid}, already running.`);
    return undefined;
  }
  task.print(`Starting ${nounOf(guest)} ${guest.vmid}`);
  if (isPaused) {
    return runGuestTask(task, guest, "qmresume", () => {
      delete guest.run?.paused;
    });
  }
  const driver = drivers[guest.type === "qemu" ? "vm" : "ct"].start;
  return runGuestTask(task, guest, driver.type, (worker) => driver.run(worker, guest.vmid));
};

const shutdown =
  (timeout: number): Action =>
  async (task, guest) => {
    if (guest.run === undefined) {
      task.warn(`Skipping ${nounOf(guest)} ${guest.vmid}, not running.`);
      return undefined;
    }
    task.print(`Shutting down ${nounOf(guest)} ${guest.vmid} (Timeout = ${timeout} seconds)`);
    const driver = drivers[guest.type === "qemu" ? "vm" : "ct"].stop;
    return runGuestTask(task, guest, driver.type, (worker) => driver.run(worker, guest.vmid));
  };

const suspend =
  (todisk: boolean, storage: string | undefined): Action =>
  async (task, guest) => {
    if (guest.type !== "qemu") {
      task.warn(`skipping ${guest.vmid}, only VMs can be suspended`);
      return undefined;
    }
    if (guest.run === undefined) {
      task.warn(`Skipping VM ${guest.vmid}, not running.`);
      return undefined;
    }
    task.print(`Suspending VM ${guest.vmid}`);
    const options = { todisk, storage, skip: false };
    return runGuestTask(task, guest, todisk ? "qmsuspend" : "qmpause", (worker) =>
      suspendVm(worker, guest.vmid, options),
    );
  };

const migrate =
  (target: string): Action =>
  async (task, guest) => {
    if (guest.node === target) {
      task.warn(`${nounOf(guest)} ${guest.vmid} already on ${target}, skipping.`);
      return undefined;
    }
    task.print(`Migrating ${nounOf(guest)} ${guest.vmid}`);
    const driver = drivers[guest.type === "qemu" ? "vm" : "ct"].move;
    return runGuestTask(task, guest, driver.type, (worker) => driver.run(worker, guest.vmid, target));
  };

const path = "/cluster/bulk-action/guest";
const common = { method: "POST", protected: true, permissions: { user: "all" } } as const;
const workers = (fallback: number) => integer({ optional: true, minimum: 1, maximum: 64, default: fallback });
const shared = (fallback: number) =>
  ({
    vms: array(vmid, { optional: true }),
    maxworkers: workers(fallback),
    "max-workers": workers(fallback),
  }) as const;
const listed = (call: Call) => ((call.params["vms"] ?? []) as unknown[]).map(Number);

export const bulkActionEndpoints = [
  indexEndpoint(path, "name", ["start", "shutdown", "migrate", "suspend"]),
  endpoint({
    ...common,
    path: `${path}/start`,
    parameters: { ...shared(4), timeout: integer({ optional: true }) },
    handler: (call) =>
      startBulk(call, {
        vms: listed(call),
        privileges: ["VM.PowerMgmt"],
        type: "bulk-start",
        headline: ["Starting"],
        action: start,
        failure: { each: "Starting", all: "start:" },
      }),
  }),
  endpoint({
    ...common,
    path: `${path}/shutdown`,
    parameters: {
      ...shared(4),
      timeout: integer({ optional: true, default: 180 }),
      "force-stop": boolean({ optional: true, default: 1 }),
    },
    handler: (call) =>
      startBulk(call, {
        vms: listed(call),
        privileges: ["VM.PowerMgmt"],
        type: "bulk-shutdown",
        headline: ["Shutting down"],
        reverse: true,
        action: shutdown(Number(call.params["timeout"] ?? 180)),
        failure: { each: "Stopping", all: "shutdown" },
      }),
  }),
  endpoint({
    ...common,
    path: `${path}/suspend`,
    parameters: {
      ...shared(4),
      "to-disk": boolean({ optional: true, default: 0 }),
      statestorage: string({ optional: true, format: storageIdFormat, requires: "to-disk" }),
    },
    handler: (call) => {
      const toDisk = call.params["to-disk"] === 1;
      const storage = call.given["statestorage"];
      if (toDisk) {
        checkPrivileges(call, listed(call), ["VM.Config.Disk"]);
      }
      if (toDisk && storage !== undefined) {
        call.caller.check(`/storage/${storage}`, ["Datastore.AllocateSpace"]);
      }
      return startBulk(call, {
        vms: listed(call),
        privileges: ["VM.PowerMgmt"],
        type: "bulk-suspend",
        headline: ["Suspending"],
        reverse: true,
        action: suspend(toDisk, storage),
        failure: { each: "Stopping", all: "suspend" },
      });
    },
  }),
  endpoint({
    ...common,
    path: `${path}/migrate`,
    parameters: {
      ...shared(1),
      target: node,
      online: boolean({ optional: true }),
      "with-local-disks": boolean({ optional: true }),
    },
    handler: (call) => {
      const target = String(call.params["target"]);
      return startBulk(call, {
        vms: listed(call),
        privileges: ["VM.Migrate"],
        type: "bulk-migrate",
        headline: ["Migrating", ` to ${target}`],
        action: migrate(target),
        failure: { each: "Migrating", all: "migrate" },
      });
    },
  }),
];
