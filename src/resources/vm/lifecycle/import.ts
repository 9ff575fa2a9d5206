import { Failure } from "#kit";
import type { VmImport } from "../contexts.ts";

/** `101`, `pve1/101` or a name. */
export async function importVm({ api, id }: VmImport): Promise<{ vmid: number }> {
  const text = id.trim();
  const [, node, digits] = /^(?:([^/]+)\/)?(?:qemu\/)?(\d+)$/.exec(text) ?? [];
  if (digits !== undefined) {
    const vm = await api.inventory.find("qemu", Number(digits));
    if (vm === null) throw new Failure("VM not found", `There is no VM ${digits}, or it may not be seen.`);
    if (node !== undefined && node !== vm.node) {
      throw new Failure("VM not found", `VM ${digits} is on ${vm.node}, not on ${node}.`);
    }
    return { vmid: vm.vmid };
  }
  const found = await api.inventory.findByName("qemu", text);
  const [only] = found;
  if (only === undefined) throw new Failure("VM not found", `There is no VM named "${text}".`);
  if (found.length > 1) {
    const ids = found.map(({ vmid, node: on }) => `${vmid} on ${on}`).join(", ");
    throw new Failure("Ambiguous name", `${found.length} VMs are named "${text}": ${ids}. Import one by its VMID.`);
  }
  return { vmid: only.vmid };
}
