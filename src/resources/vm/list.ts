import { bool, defineListResource, oneOf, set, string } from "#kit";
import type { InventoryVm } from "#pve";
import { vm } from "./vm.ts";

/** `*` and `?` as in a shell; everything else is itself. */
function pattern(glob: string): RegExp {
  const escaped = glob.replace(/[.+^${}()|[\]\\]/g, "\\$&");
  return new RegExp(`^${escaped.replaceAll("*", ".*").replaceAll("?", ".")}$`, "i");
}

/** `list "proxmox_vm"` for `terraform query`: what is there, found in one look at the cluster. */
export const listVms = defineListResource({
  resource: vm,
  doc: "Virtual machines of the cluster, to be queried and imported.",
  attributes: {
    name: { type: string(), mode: "optional", doc: "Name; `*` and `?` stand for any characters, any one character." },
    node: { type: string(), mode: "optional", doc: "Only VMs on this node." },
    pool: { type: string(), mode: "optional", doc: 'Only VMs in this pool; `""` for those in none.' },
    tags: { type: set(string()), mode: "optional", doc: "Only VMs that have all these tags." },
    template: { type: bool(), mode: "optional", doc: "Only templates, or only VMs that are none." },
    status: { type: oneOf(["running", "stopped"]), mode: "optional", doc: "Only VMs in this state." },
  },

  async *list({ api, config }) {
    const name = config.name === null ? null : pattern(config.name);
    const isWanted = (found: InventoryVm) =>
      (name === null || name.test(found.name ?? "")) &&
      (config.node === null || found.node === config.node) &&
      (config.pool === null || (found.pool ?? "") === config.pool) &&
      (config.tags ?? []).every((tag) => found.tags.some((one) => one.toLowerCase() === tag.toLowerCase())) &&
      (config.template === null || found.isTemplate === config.template) &&
      (config.status === null || found.status === config.status);
    const vms = await api.inventory.listVms();
    for (const { vmid, name: called, node } of vms.filter(isWanted).sort((a, b) => a.vmid - b.vmid)) {
      yield { id: { vmid }, displayName: `${called ?? `VM ${vmid}`} (${vmid} on ${node})` };
    }
  },
});
