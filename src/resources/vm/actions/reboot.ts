import { defineAction, Failure, parseDuration } from "#kit";
import { findTarget, label, timeout, vmid } from "./target.ts";
import { awaitStatus, taskProgress, within } from "./task-progress.ts";

/** The guest's time is for shutting down; this is for coming up again. */
const slack = 60_000;

/** `proxmox_vm_reboot`. Server side: qemu-server `src/PVE/API2/Qemu.pm`, `vm_reboot`. */
export const rebootAction = defineAction({
  type: "proxmox_vm_reboot",
  subcategory: "Virtual machines",
  verb: "reboot",
  label,
  doc: "Shuts a VM down and starts it again, which also applies the changes that wait for it.",
  attributes: { vmid, timeout: timeout("How long the guest may take to shut down. Default: `3m`.") },

  async invoke(context) {
    const { vmid: id, timeout: limit } = context.config;
    const graceMs = parseDuration(limit ?? "3m") ?? 0;
    const late = {
      summary: `VM ${id} has not come up again`,
      detail:
        "It was asked to reboot. Look at its tasks on the node: the one that shuts it down, the one that starts it.",
    };
    await within(context, `${graceMs + slack}ms`, late, async (context) => {
      const { api, signal } = context;
      const vm = await findTarget(api, id, signal);
      if (!vm.isRunning) {
        throw new Failure(
          `VM ${id} is not running`,
          "Only a running VM can be rebooted; `proxmox_vm_start` starts it.",
          {
            path: "vmid",
          },
        );
      }
      const request = { timeout: Math.ceil(graceMs / 1000) };
      await taskProgress(
        context,
        vm,
        `reboot VM ${id}`,
        () => api.power.reboot(vm, request, { signal }),
        graceMs + slack,
      );
      await awaitStatus(context, vm, "running");
    });
  },
});
