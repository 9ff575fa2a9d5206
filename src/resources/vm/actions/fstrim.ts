import { Failure, quote, sizeOf } from "#kit";
import { guestAction } from "../../guest/actions/guest-action.ts";
import { vmBase } from "../base.ts";
import { agentLate, agentNote, askAgent } from "./agent-action.ts";

/** `proxmox_vm_fstrim`. Server side: qemu-server `src/PVE/API2/Qemu/Agent.pm`, `fstrim`. */
export const trimVm = guestAction(vmBase, {
  name: "fstrim",
  verb: "trim the file systems of",
  doc: `Lets the guest report unused blocks of its file systems, so that thin storages can free them. The disks need \`discard = true\`. ${agentNote} Requires \`VM.GuestAgent.FileSystemMgmt\`.`,
  attributes: {},
  timeout: { doc: "How long to wait for the guest agent.", default: "5m" },
  late: agentLate("Trimming"),

  async run(context, target) {
    const { api, signal, progress } = context;
    const vm = { node: target.node, vmid: target.vmid };
    const { paths = [] } = await askAgent(context, target, () => api.agent.trim(vm, { signal }));
    for (const { path, trimmed, error } of paths) {
      progress(`VM ${vm.vmid}: ${path}: ${error ?? `${sizeOf(trimmed ?? 0)} trimmed`}`);
    }
    const failed = paths.filter(({ error }) => error !== undefined);
    if (failed.length > 0 && failed.length === paths.length) {
      const reasons = failed.map(({ path, error }) => `${path}: ${error}`);
      const detail = [`No file system of VM ${vm.vmid} was trimmed.`, ...reasons].join("\n");
      throw new Failure("Nothing was trimmed", quote(detail));
    }
    progress(`VM ${vm.vmid}: trimmed`);
  },
});
