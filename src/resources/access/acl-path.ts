const name = "[A-Za-z0-9.\\-_]+";

/** Where PVE allows entries (pve-access-control: src/PVE/AccessControl.pm, `check_path`), and how to say so. */
const forms: readonly (readonly [RegExp, string])[] = [
  [/^\/$/, "/"],
  [new RegExp(`^/access(?:/(?:groups|realm)(?:/${name})?)?$`), "/access/groups/GROUP, /access/realm/REALM"],
  [new RegExp(`^/nodes(?:/${name})?$`), "/nodes/NODE"],
  [new RegExp(`^/pool(?:/${name}){0,3}$`), "/pool/POOL"],
  [new RegExp(`^/sdn(?:/(?:controllers|dns|fabrics|ipams|prefix-lists|route-maps)(?:/${name})?)?$`), "/sdn/…"],
  [new RegExp(`^/sdn/zones(?:/${name}){0,2}(?:(?<=/zones/.+/.+)/[1-9][0-9]{0,3})?$`), "/sdn/zones/ZONE/VNET/VLAN"],
  [new RegExp(`^/storage(?:/${name})?$`), "/storage/STORAGE"],
  [/^\/vms(?:\/[1-9][0-9]{2,})?$/, "/vms/VMID"],
  [new RegExp(`^/mapping(?:/${name}){0,2}$`), "/mapping/pci/ID"],
];

/** What is wrong with the path of an entry, if anything. */
export function faultOfPath(path: string): string | undefined {
  if (!path.startsWith("/")) return "Must begin with a slash.";
  if (path !== "/" && path.endsWith("/")) return "Must not end with a slash.";
  if (path.includes("//")) return "Must not have two slashes in a row.";
  if (forms.some(([form]) => form.test(path))) return undefined;
  return `Must be a path Proxmox VE knows: ${forms.map(([, form]) => `\`${form}\``).join(", ")}, or one above.`;
}

/** Privileges that let a caller change the entries on a path (pve-access-control: `check_perm_modify`). */
export function privilegesToModify(path: string): string[] {
  const owner = [
    [/^\/vms\/./, "VM.Allocate"],
    [/^\/storage\/./, "Datastore.Allocate"],
    [/^\/pool\/./, "Pool.Allocate"],
  ] as const;
  return ["Permissions.Modify", ...owner.flatMap(([area, privilege]) => (area.test(path) ? [privilege] : []))];
}

/** A thing that the path names, of those that a plan can look for. */
export function objectOfPath(path: string): { kind: "vm" | "storage" | "pool" | "node"; id: string } | null {
  const [, area, id] = /^\/(vms|storage|pool|nodes)\/(.+)$/.exec(path) ?? [];
  if (area === undefined || id === undefined) return null;
  const kinds = { vms: "vm", storage: "storage", pool: "pool", nodes: "node" } as const;
  return { kind: kinds[area as keyof typeof kinds], id };
}
