import { defineFunction, dynamic, type Json, string } from "#kit";
import { type Adoptable, importBlock, resourceNames } from "./import-text.ts";

/** `module.a`, `module.a["x"].module.b[0]` */
const moduleAddress =
  /^module\.[A-Za-z_][\w-]*(\[(\d+|"[^"\\]*")\])?(\.module\.[A-Za-z_][\w-]*(\[(\d+|"[^"\\]*")\])?)*$/;

/** `provider::proxmox::import_blocks`. */
export const importBlocksFunction = defineFunction({
  name: "import_blocks",
  summary: "Writes import blocks for VMs that exist.",
  doc: "Writes an `import` block for each VM of a list, such as `data.proxmox_vms.all.vms`. Resources are named after the VMs (`monitoring-grafana` becomes `proxmox_vm.monitoring_grafana`); VMs that share a name have their VMID in it. Returns one text, to be written to a file, for instance with `terraform output -raw imports > imports.tf`. `terraform-provider-proxmox import` writes the smallest resource for each VM as well.",
  parameters: {
    vms: {
      type: dynamic(),
      doc: "A list of objects with `vmid` and `name` (which may be null); what else they have is not looked at.",
    },
  },
  variadic: {
    module: {
      type: string(),
      doc: "Address of the module the resources are in, such as `module.monitoring`; at most one.",
    },
  },
  returns: string(),
  call({ vms, module }, { fail }) {
    const [prefix, ...others] = module;
    if (others.length > 0) return fail("module", "At most one module can be given.", 1);
    if (prefix !== undefined && !moduleAddress.test(prefix)) {
      return fail("module", `"${prefix}" is no address of a module: expected one such as module.monitoring.`);
    }
    if (!Array.isArray(vms)) return fail("vms", "Expected a list of objects with `vmid` and `name`.");
    const adoptables = vms.map(
      (vm, index) =>
        adoptable(vm) ?? fail("vms", `Element ${index} has no \`vmid\` that is a VMID, or a \`name\` that is no text.`),
    );
    const twice = adoptables.find(({ vmid }, index) => adoptables.findIndex((vm) => vm.vmid === vmid) < index);
    if (twice) return fail("vms", `VM ${twice.vmid} is in the list twice.`);
    const names = resourceNames(adoptables);
    const addressOf = (vmid: number) => [...(prefix ? [prefix] : []), `proxmox_vm.${names.get(vmid)}`].join(".");
    return adoptables.map(({ vmid }) => importBlock(addressOf(vmid), vmid)).join("\n");
  },
});

function adoptable(vm: Json): Adoptable | null {
  if (typeof vm !== "object" || vm === null || !("vmid" in vm)) return null;
  const { vmid, name = null } = vm as { readonly vmid: Json; readonly name?: Json };
  const isVmid = Number.isSafeInteger(vmid) && Number(vmid) > 0;
  return isVmid && (name === null || typeof name === "string") ? { vmid: Number(vmid), name } : null;
}
