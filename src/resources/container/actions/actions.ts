import { migrateAction } from "../../guest/actions/migrate.ts";
import { rebootAction } from "../../guest/actions/reboot.ts";
import { resumeAction } from "../../guest/actions/resume.ts";
import { rollbackAction } from "../../guest/actions/rollback.ts";
import { shutdownAction } from "../../guest/actions/shutdown.ts";
import { snapshotAction } from "../../guest/actions/snapshot.ts";
import { startAction } from "../../guest/actions/start.ts";
import { stopAction } from "../../guest/actions/stop.ts";
import { suspendAction } from "../../guest/actions/suspend.ts";
import { containerBase } from "../base.ts";

// Actions of containers. Server side: pve-container `src/PVE/API2/LXC.pm`, `src/PVE/API2/LXC/Status.pm`.

export const startContainer = startAction(containerBase);
export const stopContainer = stopAction(containerBase);
export const shutdownContainer = shutdownAction(containerBase);
export const rebootContainer = rebootAction(containerBase);
export const resumeContainer = resumeAction(containerBase);
export const rollbackContainer = rollbackAction(containerBase);
export const migrateContainer = migrateAction(containerBase, "a running one is shut down, moved and started again");

export const suspendContainer = suspendAction(containerBase, {
  doc: "Suspends a running container. Experimental: the node needs CRIU, which Proxmox VE does not install, and most containers cannot be suspended.",
  attributes: {},
  request: () => ({}),
});

export const snapshotContainer = snapshotAction(containerBase, { attributes: {}, request: () => ({}) });
