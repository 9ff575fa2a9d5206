/** Where the Registry lists each type. The first pattern that fits counts. */
const subcategories: readonly (readonly [RegExp, string])[] = [
  [/^proxmox_vms?($|_)/, "Virtual machines"],
  [/^proxmox_(acl|group|permissions|role|token|user)$/, "Access"],
  [/^proxmox_(download|files?|storages)$/, "Storage"],
  [/^proxmox_(ha_\w+|hardware_mappings?|networks|nodes|pools?|version)$/, "Cluster"],
];

export function subcategoryOf(type: string): string {
  const found = subcategories.find(([pattern]) => pattern.test(type));
  if (!found) throw new Error(`scripts/generate/docs/subcategories.ts does not say where ${type} belongs`);
  return found[1];
}
