import { migrationLock } from "../core/kernel/locks.ts";
import type { Task } from "../core/kernel/process.ts";
import { migrateContainer } from "../lxc/migrate.ts";
import { startContainer, stopContainer } from "../lxc/power.ts";
import { migrateInWorker } from "../qemu/migration/migrate.ts";
import { startVm } from "../qemu/power/start.ts";
import { stopVm } from "../qemu/power/stop.ts";

/** The actions of the manager on a guest, each in a task of that type. */
interface Driver {
  readonly start: { readonly type: string; run(task: Task, vmid: number): Promise<void> };
  readonly stop: { readonly type: string; run(task: Task, vmid: number): Promise<void> };
  readonly move: { readonly type: string; run(task: Task, vmid: number, target: string): Promise<void> };
}

/** Seconds that a guest has to shut down before it is stopped. */
const shutdownSeconds = 60;

/** pve-ha-manager `src/PVE/HA/Resources/*.pm`. */
export const drivers: Record<"vm" | "ct", Driver> = {
  vm: {
    start: { type: "qmstart", run: (task, vmid) => startVm(task, vmid) },
    stop: {
      type: "qmshutdown",
      run: (task, vmid) => stopVm(task, vmid, { shutdown: true, force: true, timeout: shutdownSeconds }),
    },
    move: {
      type: "qmigrate",
      run: (task, vmid, target) =>
        task.lock(migrationLock(vmid), {}, () =>
          migrateInWorker(task, {
            vmid,
            target,
            online: true,
            force: true,
            withLocalDisks: true,
            storageMap: undefined,
          }),
        ),
    },
  },
  ct: {
    start: { type: "vzstart", run: (task, vmid) => startContainer(task, vmid) },
    stop: {
      type: "vzshutdown",
      run: (task, vmid) => stopContainer(task, vmid, { seconds: shutdownSeconds, kill: true }),
    },
    move: {
      type: "vzmigrate",
      // Containers cannot move while they run: they are stopped on the source and started on the target.
      run: async (task, vmid, target) => {
        if (task.sim.world.guests[vmid]?.run !== undefined) {
          await stopContainer(task, vmid, { seconds: shutdownSeconds, kill: true });
        }
        const how = { online: false, restart: false, timeout: 180, storageMap: undefined };
        await migrateContainer(task, { vmid, target, ...how });
      },
    },
  },
};
