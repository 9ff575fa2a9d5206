import { defineListResource, getNode } from "#kit";
import { vmFilters, vmMatcher } from "./filters.ts";
import { warnOfBlindness } from "./visible.ts";
import { vm } from "./vm.ts";

/** `list "proxmox_vm"` for `terraform query`: what is there, found in one look at the cluster. */
export const listVms = defineListResource({
  resource: vm,
  doc: "Virtual machines of the cluster, to be queried and imported.",
  attributes: vmFilters,

  async *list({ api, config, report }) {
    if (config.node !== null) await getNode(api, config.node);
    const vms = await api.inventory.list("qemu");
    await warnOfBlindness(report, api, vms);
    for (const { vmid, name, node } of vms.filter(vmMatcher(config)).sort((a, b) => a.vmid - b.vmid)) {
      yield { id: { vmid }, displayName: `${name ?? `VM ${vmid}`} (${vmid} on ${node})` };
    }
  },
});
