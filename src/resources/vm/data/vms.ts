import { bool, defineDataSource, found, list, nested, oneOf } from "#kit";
import { guestsAttributes, listedGuest, readGuests } from "../../guest/data/many.ts";
import { newestOf } from "./newest.ts";
import { vmReader } from "./reader.ts";

/** `proxmox_vms`. */
export const vmsData = defineDataSource({
  type: "proxmox_vms",
  subcategory: vmReader.subcategory,
  doc: "Virtual machines and templates of the cluster, all or those that match every filter given. If nothing matches the list is empty. Only VMs on which the caller has `VM.Audit` can be seen.",
  attributes: {
    ...guestsAttributes(vmReader),
    newest: {
      type: bool(),
      mode: "optional",
      doc: "Whether to keep only the newest of the matches: the one created last by the time in its configuration and, among those of the same time, the one with the highest VMID. A clone has the time of its source, since PVE copies it; VMs older than PVE 7.1 have none and count as oldest. Reads the configuration of every match.",
    },
    addresses: {
      type: oneOf(["configured", "agent"]),
      mode: "optional",
      doc: "Whether to look for IP addresses: `configured`, as cloud-init sets them, takes one call for each match; `agent` also asks the guest agent of those that run, once and without waiting, and needs `VM.GuestAgent.Audit`. Not given: none are shown.",
    },
    vms: found(list(nested(listedGuest)), "The VMs, ordered by VMID."),
  },

  async read(context) {
    const { api, config, signal } = context;
    const select = config.newest ? newestOf.bind(null, api, signal) : undefined;
    const { guests: vms, ...byName } = await readGuests(vmReader, context, select);
    return { ...byName, vms };
  },
});
