import { defineListResource } from "#kit";
import { vmFilters, vmMatcher } from "./filters.ts";
import { vm } from "./vm.ts";

/** `list "proxmox_vm"` for `terraform query`: what is there, found in one look at the cluster. */
export const listVms = defineListResource({
  resource: vm,
  doc: "Virtual machines of the cluster, to be queried and imported.",
  attributes: vmFilters,

  async *list({ api, config }) {
    const vms = await api.inventory.listVms();
    for (const { vmid, name, node } of vms.filter(vmMatcher(config)).sort((a, b) => a.vmid - b.vmid)) {
      yield { id: { vmid }, displayName: `${name ?? `VM ${vmid}`} (${vmid} on ${node})` };
    }
  },
});
