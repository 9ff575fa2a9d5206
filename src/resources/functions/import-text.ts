/** A VM to be put under Terraform's control. */
export interface Adoptable {
  readonly vmid: number;
  readonly name: string | null | undefined;
}

/**
 * A name for the resource of each VM, made of the VM's: `monitoring_grafana`. VMs whose names would become the same one
 * have their VMID in it, all of them, so that a name does not depend on which VM was looked at first.
 */
export function resourceNames(vms: readonly Adoptable[]): ReadonlyMap<number, string> {
  const wanted = Map.groupBy(vms, ({ name, vmid }) => identifier(name ?? "") || `vm_${vmid}`);
  const names = new Map<number, string>();
  const taken = new Set<string>(wanted.keys());
  for (const [name, same] of wanted) {
    for (const { vmid } of same) {
      let own = same.length === 1 ? name : `${name}_${vmid}`;
      while (same.length > 1 && taken.has(own)) own += "_";
      taken.add(own);
      names.set(vmid, own);
    }
  }
  return names;
}

/** Empty if nothing of the name can stand in an identifier. */
function identifier(name: string): string {
  const words = name.toLowerCase().replaceAll(/[^a-z0-9]+/g, "_");
  const trimmed = words.replaceAll(/^_+|_+$/g, "");
  return /^\d/.test(trimmed) ? `vm_${trimmed}` : trimmed;
}

/** `to` is an address such as `proxmox_vm.web` or `module.a.proxmox_vm.web`. */
export function importBlock(to: string, vmid: number): string {
  return `import {\n  to = ${to}\n  id = ${quote(String(vmid))}\n}\n`;
}

/** As little as can be said of a VM: what is not written is left as it is. */
export function resourceBlock(name: string, vm: Adoptable): string {
  const named = vm.name ? `  name = ${quote(vm.name)}\n` : "";
  return `resource "proxmox_vm" ${quote(name)} {\n${named}  vmid = ${vm.vmid}\n}\n`;
}

const escapes: Readonly<Record<string, string>> = { '"': '\\"', "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t" };

/** Characters that an editor does not show, or that make it show others in another order. */
const special = /["\\\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** Text as a literal of HCL, in which nothing is evaluated and nothing is hidden. */
export function quote(text: string): string {
  const escaped = text
    .toWellFormed()
    .replaceAll(special, (char) => escapes[char] ?? hex(char))
    .replaceAll(/[$%](?=\{)/g, "$&$&");
  return `"${escaped}"`;
}

function hex(char: string): string {
  const code = (char.codePointAt(0) ?? 0).toString(16);
  return code.length > 4 ? `\\U${code.padStart(8, "0")}` : `\\u${code.padStart(4, "0")}`;
}
