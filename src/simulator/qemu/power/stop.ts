import { type Call, endpoint } from "../../core/kernel/endpoint.ts";
import { die, paramError } from "../../core/kernel/failure.ts";
import type { Process, Task } from "../../core/kernel/process.ts";
import { boolean, integer } from "../../core/schema/schema.ts";
import { node, skipLock, vmid } from "../../core/schema/standard-options.ts";
import type { Guest } from "../../core/world/guest.ts";
import { isHaManaged, requestViaHa } from "../../guests/ha.ts";
import { requireRootFor } from "../../guests/require-root.ts";
import { isAgentRunning } from "../agent/guest-agent.ts";
import { isAgentEnabled } from "../config/agent.ts";
import { applyPending } from "../update/apply-pending.ts";
import { checkLock, findVm, loadConfig, requireVm, withConfigLock } from "../vm.ts";
import { beginShutdown, checkRunning, endProcess, isPaused } from "./run-state.ts";

export interface StopOptions {
  /** Shuts the guest down instead of stopping it. */
  readonly shutdown: boolean;
  /** Kills the process after the timeout. */
  readonly force: boolean;
  /** Seconds; 60 unless the VM's `startup` has another value. */
  readonly timeout?: number | undefined;
  readonly skipLock?: boolean;
}

const defaultTimeout = 60;

/** `vm_stop` in qemu-server `src/PVE/QemuServer.pm`: holds the configuration's lock while it waits. */
export function stopVm(process: Process, id: number, options: StopOptions): Promise<void> {
  return withConfigLock(process, id, () => stopUnlocked(process, id, options));
}

/** `_do_vm_stop`, under the lock. */
export async function stopUnlocked(process: Process, id: number, options: StopOptions): Promise<void> {
  if (!checkRunning(process, id)) {
    return;
  }
  const guest = requireVm(process, id);
  if (options.skipLock !== true) {
    checkLock(guest);
  }
  const timeout = options.timeout ?? startupTimeout(guest, options.shutdown) ?? defaultTimeout;
  await requestStop(process, guest, options.shutdown);
  if (await isGoneWithin(process, guest, timeout)) {
    await applyPending(process, id, loadConfig(process, id));
    return;
  }
  if (!options.force) {
    die("VM quit/powerdown failed - got timeout");
  }
  process.print("VM still running - terminating now with SIGTERM");
  endProcess(guest);
  await process.sleep(1);
  await applyPending(process, id, loadConfig(process, id));
}

/** `down` of the `startup` option is the shutdown timeout of this VM. */
function startupTimeout({ config }: Guest, shutdown: boolean): number | undefined {
  const [, seconds] = /(?:^|,)down=(\d+)/.exec(config["startup"] ?? "") ?? [];
  return shutdown && Number(seconds) > 0 ? Number(seconds) : undefined;
}

async function requestStop(process: Process, guest: Guest, shutdown: boolean): Promise<void> {
  if (!shutdown) {
    endProcess(guest);
    return;
  }
  const byAgent = isAgentEnabled(guest.config["agent"]) && (await isAgentRunning(process, guest));
  if (byAgent || guest.behaviour.acpi) {
    beginShutdown(process.sim, guest);
  }
}

/** PVE checks once a second. */
async function isGoneWithin(process: Process, guest: Guest, seconds: number): Promise<boolean> {
  let waited = 0;
  while (waited < seconds && guest.run !== undefined) {
    waited++;
    await process.sleep(1);
  }
  return waited < seconds;
}

function stop(call: Call, id: number): string {
  const { caller, given } = call;
  for (const name of ["skiplock", "keepActive"]) {
    requireRootFor(caller, name, given[name] === "1");
  }
  requireRootFor(caller, "migratedfrom", given["migratedfrom"]);
  if (given["overrule-shutdown"] === "1" && isHaManaged(call.world, id)) {
    paramError({ "overrule-shutdown": "Not applicable for HA resources." });
  }
  const options = {
    shutdown: false,
    force: true,
    timeout: numberOf(given["timeout"]),
    skipLock: given["skiplock"] === "1",
  };
  const viaHa = given["migratedfrom"] === undefined ? requestViaHa(call, "VM", id, "stopped") : undefined;
  return (
    viaHa ??
    call.worker("qmstop", String(id), async (task) => {
      if (given["overrule-shutdown"] === "1") {
        await abortShutdowns(task, id);
      }
      await stopVm(task, id, options);
    })
  );
}

const numberOf = (text: string | undefined) => (text === undefined ? undefined : Number(text));

/** `abort_guest_tasks` of pve-guest-common `src/PVE/GuestHelpers.pm`: the tasks that the caller may stop. */
async function abortShutdowns(task: Task, id: number): Promise<void> {
  const { caller, sim, node: here } = task;
  const mayAbortAll = caller.has(`/nodes/${here}`, ["Sys.Modify"]);
  const running = sim.world.tasks.filter(
    ({ node: where, type, id: taskId, ended, user }) =>
      where === here &&
      type === "qmshutdown" &&
      taskId === String(id) &&
      ended === undefined &&
      (mayAbortAll || user === caller.id || user.startsWith(`${caller.id}!`)),
  );
  for (const { upid } of running) {
    await sim.workers.stop(upid);
  }
  if (running.length > 0) {
    task.print(`overruled qmshutdown tasks: ${running.map(({ upid }) => upid).join(", ")}`);
  }
}

function shutdown(call: Call, id: number): string {
  const { caller, given } = call;
  for (const name of ["skiplock", "keepActive"]) {
    requireRootFor(caller, name, given[name] === "1");
  }
  const force = given["forceStop"] === "1";
  const paused = isPaused(findVm(call.world, id, call.node));
  if (paused && !force) {
    die("VM is paused - cannot shutdown");
  }
  const options = {
    shutdown: !paused,
    force,
    timeout: numberOf(given["timeout"]),
    skipLock: given["skiplock"] === "1",
  };
  return (
    requestViaHa(call, "VM", id, "stopped") ??
    call.worker("qmshutdown", String(id), (task) => stopVm(task, id, options))
  );
}

const mayUsePower = { check: ["perm", "/vms/{vmid}", ["VM.PowerMgmt"]] } as const;
const timeout = integer({ optional: true, minimum: 0 });
const flag = boolean({ optional: true, default: 0 });

export const stopEndpoints = [
  endpoint({
    method: "POST",
    path: "/nodes/{node}/qemu/{vmid}/status/stop",
    protected: true,
    proxyTo: "node",
    permissions: mayUsePower,
    parameters: {
      node,
      vmid,
      skiplock: skipLock,
      migratedfrom: { ...node, optional: true },
      timeout,
      keepActive: flag,
      "overrule-shutdown": flag,
    },
    handler: (call) => stop(call, call.params.vmid),
  }),
  endpoint({
    method: "POST",
    path: "/nodes/{node}/qemu/{vmid}/status/shutdown",
    protected: true,
    proxyTo: "node",
    permissions: mayUsePower,
    parameters: { node, vmid, skiplock: skipLock, timeout, forceStop: flag, keepActive: flag },
    handler: (call) => shutdown(call, call.params.vmid),
  }),
];
