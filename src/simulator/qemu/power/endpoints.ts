import { rootCaller } from "../../core/access/root-caller.ts";
import { type Call, endpoint } from "../../core/kernel/endpoint.ts";
import { die } from "../../core/kernel/failure.ts";
import type { Process, Task } from "../../core/kernel/process.ts";
import { boolean, integer } from "../../core/schema/schema.ts";
import { node, skipLock, vmid } from "../../core/schema/standard-options.ts";
import { requireRootFor } from "../../guests/require-root.ts";
import { checkLock, findVm, getVm, isTemplate, withConfigLock } from "../vm.ts";
import { checkRunning, isPaused, rebootSystem } from "./run-state.ts";
import { startVm } from "./start.ts";
import { stopUnlocked } from "./stop.ts";

function requireRunning(process: Process, id: number): void {
  if (!checkRunning(process, id)) {
    die(`VM ${id} not running`);
  }
}

async function reset(task: Task, id: number, skip: boolean): Promise<void> {
  await withConfigLock(task, id, () => {
    const guest = getVm(task, id);
    if (!skip) {
      checkLock(guest);
    }
    rebootSystem(task.sim, guest);
  });
}

/** `vm_reboot`: a shutdown. The event daemon starts the VM again, after the task has ended. */
async function reboot(task: Task, id: number, timeout: number | undefined): Promise<void> {
  await withConfigLock(task, id, async () => {
    if (checkRunning(task, id)) {
      await stopUnlocked(task, id, { shutdown: true, force: false, timeout });
    }
  });
  const { sim, node: here } = task;
  const root = rootCaller(sim.world);
  sim.workers.fork({ node: here, caller: root, type: "qmstart", id: String(id), body: (start) => startVm(start, id) });
}

/** `vm_resume` of a paused VM in qemu-server `src/PVE/QemuServer/RunState.pm`. */
async function resume(task: Task, id: number, skip: boolean): Promise<void> {
  await withConfigLock(task, id, () => {
    const guest = getVm(task, id);
    if (isTemplate(guest)) {
      die(`VM ${id} is a template and cannot be resumed!`);
    }
    if (!isPaused(guest)) {
      return;
    }
    if (!skip && guest.config["lock"] !== "backup") {
      checkLock(guest);
    }
    delete guest.run?.paused;
  });
}

async function resumeRequest(call: Call, id: number): Promise<string> {
  const { caller, given } = call;
  for (const name of ["skiplock", "nocheck"]) {
    requireRootFor(caller, name, given[name] === "1");
  }
  // PVE checks under the lock, but continues if the lock is not free.
  const isSuspendedToDisk = await withConfigLock(call, id, () => getVm(call, id).config["lock"] === "suspended").catch(
    () => false,
  );
  if (!isSuspendedToDisk) {
    requireRunning(call, id);
  }
  const skip = given["skiplock"] === "1";
  return call.worker("qmresume", String(id), (task) =>
    isSuspendedToDisk ? startVm(task, id, { skipLock: skip }) : resume(task, id, skip),
  );
}

const mayUsePower = { check: ["perm", "/vms/{vmid}", ["VM.PowerMgmt"]] } as const;

export const powerEndpoints = [
  endpoint({
    method: "POST",
    path: "/nodes/{node}/qemu/{vmid}/status/reset",
    protected: true,
    proxyTo: "node",
    permissions: mayUsePower,
    parameters: { node, vmid, skiplock: skipLock },
    handler: (call) => {
      const { vmid: id, skiplock } = call.params;
      requireRootFor(call.caller, "skiplock", skiplock);
      requireRunning(call, id);
      return call.worker("qmreset", String(id), (task) => reset(task, id, skiplock === 1));
    },
  }),
  endpoint({
    method: "POST",
    path: "/nodes/{node}/qemu/{vmid}/status/reboot",
    protected: true,
    proxyTo: "node",
    permissions: mayUsePower,
    parameters: { node, vmid, timeout: integer({ optional: true, minimum: 0 }) },
    handler: (call) => {
      const { vmid: id, timeout } = call.params;
      if (isPaused(findVm(call.world, id, call.node))) {
        die("VM is paused - cannot shutdown");
      }
      requireRunning(call, id);
      return call.worker("qmreboot", String(id), (task) => reboot(task, id, timeout));
    },
  }),
  endpoint({
    method: "POST",
    path: "/nodes/{node}/qemu/{vmid}/status/resume",
    protected: true,
    proxyTo: "node",
    permissions: mayUsePower,
    parameters: { node, vmid, skiplock: skipLock, nocheck: boolean({ optional: true }) },
    handler: (call) => resumeRequest(call, call.params.vmid),
  }),
];
