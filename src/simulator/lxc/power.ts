import { endpoint } from "../core/kernel/endpoint.ts";
import { die, paramError } from "../core/kernel/failure.ts";
import { onGuest } from "../core/kernel/on-node.ts";
import type { Process, Task } from "../core/kernel/process.ts";
import { boolean, integer } from "../core/schema/schema.ts";
import { node, skipLock, vmid } from "../core/schema/standard-options.ts";
import { isHaManaged, requestViaHa } from "../guests/ha.ts";
import { requireRootFor } from "../guests/require-root.ts";
import { requireGuestAddresses } from "../sdn/guest-addresses.ts";
import { activateVolume } from "../storage/images.ts";
import { checkLock, getContainer, isRunning, isTemplate, withContainerLock } from "./container.ts";
import { dropMountedUnused, mountAll, mountsOf, mountType } from "./mounts.ts";
import { checkRuntimeConfig } from "./runtime-config.ts";
import { applyPending } from "./update.ts";

// pve-container `src/PVE/API2/LXC/Status.pm`.

/** Seconds that a container takes to start on an ordinary host. */
const startSeconds = 0.4;

/** `vm_start`; holds the lock of the configuration for its whole duration. */
export function startContainer(process: Process, id: number, skip = false): Promise<void> {
  return withContainerLock(process, id, async () => {
    const guest = getContainer(process, id);
    if (isTemplate(guest)) {
      die("you can't start a CT if it's a template");
    }
    if (!skip) {
      checkLock(guest, "mounted");
    }
    await applyPending(process, guest);
    dropMountedUnused(guest.config);
    checkRuntimeConfig(process, guest);
    const { sim, node: here } = process;
    for (const [, mount] of mountsOf(guest.config).filter(([, candidate]) => mountType(candidate) === "volume")) {
      activateVolume(sim.world, mount.volume, here);
    }
    mountAll(process, id, guest.config);
    await process.sleep(startSeconds);
    requireGuestAddresses(sim.world, id, guest.config);
    guest.run = { since: sim.clock.now(), pid: 1000 + sim.random.below(30_000) };
  });
}

/** `vm_stop`: for a container that ignores the signal, the task waits until the timeout. */
export function stopContainer(
  process: Process,
  id: number,
  { seconds, kill }: { seconds?: number; kill: boolean },
): Promise<void> {
  return withContainerLock(process, id, async () => {
    const guest = getContainer(process, id);
    checkLock(guest, seconds === undefined ? "mounted" : undefined);
    if (guest.run === undefined) {
      return;
    }
    if (seconds !== undefined) {
      const { acpiShutdown } = process.sim.world.cluster.behaviour;
      const obeys = guest.behaviour.acpi && acpiShutdown <= seconds;
      await process.sleep(obeys ? acpiShutdown : seconds);
      if (!obeys && !kill) {
        die("container did not stop");
      }
    }
    guest.run = undefined;
  });
}

/** `vm_start` from other work: a separate task. */
export function requestStart(process: Process, id: number): string {
  return (
    requestViaHa(process, "CT", id, "started") ??
    process.worker("vzstart", String(id), (task) => startContainer(task, id))
  );
}

function requireRunning(process: Process, id: number): void {
  if (!isRunning(process, id)) {
    die(`CT ${id} not running`);
  }
}

async function reboot(task: Task, id: number, timeout: number | undefined): Promise<void> {
  await stopContainer(task, id, { seconds: timeout ?? 60, kill: false });
  await startContainer(task, id);
}

const common = {
  method: "POST",
  ...onGuest("VM.PowerMgmt"),
} as const;
const path = "/nodes/{node}/lxc/{vmid}/status";

export const containerPowerEndpoints = [
  endpoint({
    ...common,
    path: `${path}/start`,
    parameters: { node, vmid, skiplock: skipLock, debug: boolean({ optional: true, default: 0 }) },
    handler: (call) => {
      const { vmid: id, skiplock } = call.params;
      requireRootFor(call.caller, "skiplock", skiplock);
      if (isRunning(call, id)) {
        die(`CT ${id} already running`);
      }
      return (
        requestViaHa(call, "CT", id, "started") ??
        call.worker("vzstart", String(id), (task) => startContainer(task, id, skiplock === 1))
      );
    },
  }),
  endpoint({
    ...common,
    path: `${path}/stop`,
    parameters: { node, vmid, skiplock: skipLock, "overrule-shutdown": boolean({ optional: true, default: 0 }) },
    handler: (call) => {
      const { vmid: id, skiplock, "overrule-shutdown": overrule } = call.params;
      requireRootFor(call.caller, "skiplock", skiplock);
      requireRunning(call, id);
      if (isHaManaged(call.world, id)) {
        return overrule === 1
          ? paramError({ "overrule-shutdown": "Not applicable for HA resources." })
          : requestViaHa(call, "CT", id, "stopped");
      }
      return call.worker("vzstop", String(id), async (task) => {
        if (overrule === 1) {
          await stopShutdowns(task, id);
        }
        await stopContainer(task, id, { kill: true });
      });
    },
  }),
  endpoint({
    ...common,
    path: `${path}/shutdown`,
    parameters: {
      node,
      vmid,
      timeout: integer({ optional: true, minimum: 0, default: 60 }),
      forceStop: boolean({ optional: true, default: 0 }),
    },
    handler: (call) => {
      const { vmid: id, timeout = 60, forceStop } = call.params;
      requireRunning(call, id);
      return (
        requestViaHa(call, "CT", id, "stopped") ??
        call.worker("vzshutdown", String(id), (task) =>
          stopContainer(task, id, { seconds: timeout, kill: forceStop === 1 }),
        )
      );
    },
  }),
  endpoint({
    ...common,
    path: `${path}/reboot`,
    parameters: { node, vmid, timeout: integer({ optional: true, minimum: 0 }) },
    handler: (call) => {
      const { vmid: id, timeout } = call.params;
      if (!isRunning(call, id)) {
        die(`VM ${id} not running`);
      }
      return call.worker("vzreboot", String(id), (task) => reboot(task, id, timeout));
    },
  }),
  endpoint({
    ...common,
    path: `${path}/suspend`,
    parameters: { node, vmid },
    handler: (call) => {
      const { vmid: id } = call.params;
      requireRunning(call, id);
      return call.worker("vzsuspend", String(id), (task) =>
        withContainerLock(task, id, () => {
          checkLock(getContainer(task, id));
          checkpoint(id, "-s");
        }),
      );
    },
  }),
  endpoint({
    ...common,
    path: `${path}/resume`,
    parameters: { node, vmid },
    handler: (call) => {
      const { vmid: id } = call.params;
      if (isRunning(call, id)) {
        die(`CT ${id} already running`);
      }
      return call.worker("vzresume", String(id), () => checkpoint(id, "-r --foreground"));
    },
  }),
];

/** `lxc-checkpoint` requires CRIU, which hosts do not have. */
function checkpoint(id: number, flags: string): never {
  return die(`command 'lxc-checkpoint -n ${id} ${flags} -D /var/lib/vz/dump' failed: exit code 1`);
}

/** `abort_guest_tasks`: the caller's own waiting shutdowns. */
async function stopShutdowns(task: Task, id: number): Promise<void> {
  const { world, workers } = task.sim;
  const waiting = world.tasks.filter(
    ({ type, id: about, exitstatus, user }) =>
      type === "vzshutdown" && about === String(id) && exitstatus === undefined && user === task.caller.id,
  );
  for (const { upid } of waiting) {
    await workers.stop(upid);
  }
  if (waiting.length > 0) {
    task.print(`overruled vzshutdown tasks: ${waiting.map(({ upid }) => upid).join(", ")}`);
  }
}
