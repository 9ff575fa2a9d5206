import { Failure } from "#kit";
import { guestAction } from "../../guest/actions/guest-action.ts";
import { vmBase } from "../base.ts";
import { ownDrive } from "../blocks/cloud-init-drive.ts";

/** `proxmox_vm_cloud_init_regenerate`. Server side: qemu-server `src/PVE/API2/Qemu.pm`, `cloudinit_update`. */
export const regenerateCloudInit = guestAction(vmBase, {
  name: "cloud_init_regenerate",
  verb: "regenerate the cloud-init drive of",
  doc: "Writes the cloud-init drive of a VM again from its present settings and snippets. `proxmox_vm` does that for its own changes; this is for a snippet whose content has changed. The guest reads the drive when it boots.",
  attributes: {},
  timeout: { doc: "How long it may take.", default: "2m" },
  late: (vmid, limit) => ({
    summary: `The cloud-init drive of VM ${vmid} is not written yet`,
    detail: `It was not within ${limit}. Check the storage of the drive.`,
  }),

  async run({ api, signal, progress }, { node, vmid }) {
    const vm = { node, vmid };
    const { options } = await api.qemu.getConfig(vm, {}, { signal });
    if (ownDrive(api.draft(options)) === null) {
      const detail = `VM ${vmid} has no drive that PVE generates. \`cloud_init\` of \`proxmox_vm\` adds one.`;
      throw new Failure("No cloud-init drive", detail, { path: "vmid" });
    }
    await api.qemu.regenerateCloudInit(vm, { signal });
    progress(`VM ${vmid}: cloud-init drive written`);
  },
});
