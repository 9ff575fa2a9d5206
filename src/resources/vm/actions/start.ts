import { defineAction } from "#kit";
import { findTarget, label, timeout, vmid } from "./target.ts";
import { awaitStatus, taskProgress, within } from "./task-progress.ts";

/** `proxmox_vm_start`. Server side: qemu-server `src/PVE/API2/Qemu.pm`, `vm_start`. */
export const startAction = defineAction({
  type: "proxmox_vm_start",
  subcategory: "Virtual machines",
  verb: "start",
  label,
  doc: "Starts a VM and waits until it runs. One that runs already is left alone.",
  attributes: { vmid, timeout: timeout("How long to wait until it runs. Default: `5m`.") },

  async invoke(context) {
    const { vmid: id, timeout: limit } = context.config;
    const late = {
      summary: `VM ${id} does not run yet`,
      detail: `It was asked to start and did not within ${limit ?? "5m"}. Look at its task on the node.`,
    };
    await within(context, limit ?? "5m", late, async (context) => {
      const { api, signal, progress } = context;
      const vm = await findTarget(api, id, signal);
      if (vm.isRunning) return progress(`VM ${id}: running already`);
      await taskProgress(context, vm, `start VM ${id}`, () => api.power.start(vm, {}, { signal }));
      await awaitStatus(context, vm, "running");
    });
  },
});
