import { bool, defineAction, string } from "#kit";
import { findTarget, label, timeout, vmid } from "./target.ts";
import { taskProgress, within } from "./task-progress.ts";

/** PVE's `configid`, without the two names it needs itself (pve-guest-common: src/PVE/AbstractConfig.pm). */
const checkName = (name: string): string | undefined => {
  if (!/^[A-Za-z][A-Za-z0-9_-]+$/.test(name) || name.length > 40) {
    return "Must be 2 to 40 letters, digits, `_` and `-`, beginning with a letter.";
  }
  return name === "current" || name === "pending" ? "Must not be `current` or `pending`." : undefined;
};

/** `proxmox_vm_snapshot`. Server side: qemu-server `src/PVE/API2/Qemu.pm`, `snapshot`. */
export const snapshotAction = defineAction({
  type: "proxmox_vm_snapshot",
  subcategory: "Virtual machines",
  verb: "take a snapshot of",
  label,
  doc: "Takes a snapshot of a VM.",
  attributes: {
    vmid,
    name: { type: string({ check: checkName }), mode: "required", doc: "Name of the snapshot." },
    description: { type: string(), mode: "optional", doc: "Description." },
    memory: { type: bool(), mode: "optional", doc: "Whether the memory of a running VM is saved too. Default: no." },
    timeout: timeout("How long it may take. Default: `30m`."),
  },

  async invoke(context) {
    const { vmid: id, name, description, memory, timeout: limit } = context.config;
    const late = {
      summary: `The snapshot of VM ${id} is not complete`,
      detail: `It was not within ${limit ?? "30m"}. Its task runs on: look at it on the node.`,
    };
    await within(context, limit ?? "30m", late, async (context) => {
      const { api, signal, progress } = context;
      const vm = await findTarget(api, id, signal);
      const request = {
        snapname: name,
        ...(description && { description }),
        ...(memory && vm.isRunning && { vmstate: true }),
      };
      await taskProgress(context, vm, `take snapshot ${name} of VM ${id}`, () =>
        api.snapshots.create(vm, request, { signal }),
      );
      progress(`VM ${id}: snapshot ${name} taken`);
    });
  },
});
