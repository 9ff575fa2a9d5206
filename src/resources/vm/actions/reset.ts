import { guestAction } from "../../guest/actions/guest-action.ts";
import { requireRunning } from "../../guest/actions/target.ts";
import { taskProgress } from "../../guest/actions/task-progress.ts";
import { vmBase } from "../base.ts";

/** `proxmox_vm_reset`. Server side: qemu-server `src/PVE/API2/Qemu.pm`, `vm_reset`. */
export const resetVm = guestAction(vmBase, {
  name: "reset",
  verb: "reset",
  doc: "Resets a running VM, as its reset button would: the guest does not shut down, data that it has not written yet is lost. Changes that wait for a restart stay pending, since QEMU keeps running; `proxmox_vm_reboot` applies them.",
  attributes: {},
  timeout: { doc: "How long it may take.", default: "2m" },
  late: (vmid, limit) => ({
    summary: `VM ${vmid} is not reset yet`,
    detail: `It was not within ${limit}. Look at its task on the node.`,
  }),

  async run(context, target) {
    const { api, signal, progress } = context;
    requireRunning(vmBase, target, "reset");
    await taskProgress(context, target, `reset VM ${target.vmid}`, () => api.power.reset(target, {}, { signal }));
    progress(`VM ${target.vmid}: reset`);
  },
});
