import { bool, string } from "#kit";
import { migrateAction } from "../../guest/actions/migrate.ts";
import { rebootAction } from "../../guest/actions/reboot.ts";
import { resumeAction } from "../../guest/actions/resume.ts";
import { shutdownAction } from "../../guest/actions/shutdown.ts";
import { snapshotAction } from "../../guest/actions/snapshot.ts";
import { startAction } from "../../guest/actions/start.ts";
import { stopAction } from "../../guest/actions/stop.ts";
import { suspendAction } from "../../guest/actions/suspend.ts";
import { vmBase } from "../base.ts";

// Actions that VMs share with containers. Server side: qemu-server `src/PVE/API2/Qemu.pm`.

export const startVm = startAction(vmBase);
export const stopVm = stopAction(vmBase);
export const shutdownVm = shutdownAction(vmBase);
export const rebootVm = rebootAction(vmBase);
export const resumeVm = resumeAction(vmBase);
export const migrateVm = migrateAction(vmBase, "a running one is moved while it runs");

export const suspendVm = suspendAction(vmBase, {
  doc: "Suspends a running VM: its memory stays on the node, or is saved to a storage with `to_disk`.",
  attributes: {
    to_disk: {
      type: bool(),
      mode: "optional",
      doc: "Whether to save the memory to a storage and stop the VM. Not possible under HA and with PCI devices; requires `VM.Config.Disk` too. Default: no.",
    },
    state_storage: {
      type: string(),
      mode: "optional",
      doc: "Storage for the memory, with `to_disk`. Default: `vmstatestorage` of the VM, or one of its own.",
    },
  },
  request: ({ to_disk, state_storage }) =>
    to_disk ? { todisk: true, ...(state_storage && { statestorage: state_storage }) } : {},
});

export const snapshotVm = snapshotAction(vmBase, {
  attributes: {
    memory: { type: bool(), mode: "optional", doc: "Whether the memory of a running VM is saved too. Default: no." },
  },
  request: ({ memory }, { isRunning }) => (memory && isRunning ? { vmstate: true } : {}),
});
