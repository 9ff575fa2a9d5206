import { bool, defineAction, parseDuration } from "#kit";
import { findTarget, label, timeout, vmid } from "./target.ts";
import { awaitStatus, taskProgress, within } from "./task-progress.ts";

/** PVE ends the task when the guest's time is over; the rest is for that to be noticed, and for HA. */
const slack = 60_000;

/** `proxmox_vm_shutdown`. Server side: qemu-server `src/PVE/API2/Qemu.pm`, `vm_shutdown`. */
export const shutdownAction = defineAction({
  type: "proxmox_vm_shutdown",
  subcategory: "Virtual machines",
  verb: "shut down",
  label,
  doc: "Asks the guest of a VM to shut down, and waits until it has. A VM that is stopped is left alone.",
  attributes: {
    vmid,
    timeout: timeout("How long the guest may take. Default: `3m`."),
    force: { type: bool(), mode: "optional", doc: "Whether to pull the plug when the time is over. Default: no." },
  },

  async invoke(context) {
    const { vmid: id, timeout: limit, force } = context.config;
    const graceMs = parseDuration(limit ?? "3m") ?? 0;
    const late = {
      summary: `VM ${id} still runs`,
      detail: `It was asked to shut down and did not within ${limit ?? "3m"}. Set \`force = true\` to stop it then.`,
    };
    await within(context, `${graceMs + slack}ms`, late, async (context) => {
      const { api, signal, progress } = context;
      const vm = await findTarget(api, id, signal);
      if (!vm.isRunning) return progress(`VM ${id}: stopped already`);
      const request = { timeout: Math.ceil(graceMs / 1000), ...(force && { forceStop: true }) };
      await taskProgress(
        context,
        vm,
        `shut VM ${id} down`,
        () => api.power.shutdown(vm, request, { signal }),
        graceMs + slack,
      );
      await awaitStatus(context, vm, "stopped");
    });
  },
});
