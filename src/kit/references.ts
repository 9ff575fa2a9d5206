import type { PathLike, Report } from "#framework";
import { alternatives } from "./near-names.ts";
import { canAudit } from "./privileges.ts";
import type { Session } from "./session.ts";
import type { Reference } from "./wire/reference.ts";

interface Kind {
  /** As messages name it; default: the kind itself. */
  readonly noun?: string;
  /** The resource that creates one, and the attribute that others refer to. */
  readonly resource?: string;
  names(api: Session): Promise<Iterable<string>>;
  /** What a caller needs to see one: without it, a missing name proves nothing. */
  audit?(name: string): readonly [path: string, privilege: string];
}

const ids = async (api: Session, file: string, path: string): Promise<string[]> => {
  const id = /\{([^}]+)\}$/.exec(path)?.[1] ?? "";
  return (await api.store.remember(path, () => api.objects(file, { path }).list({}))).map((one) => String(one[id]));
};

/** Objects of the SDN as they are edited: the list that their resources read, too. */
const stagedIds = async (api: Session, collection: string, id: string): Promise<string[]> => {
  const listed = await api.store.remember(collection, () => api.sdn.listPending(collection, {}));
  return listed.filter(({ state }) => state !== "deleted").map((one) => String(one[id]));
};

const kinds: Readonly<Record<Reference, Kind>> = {
  node: { names: async (api) => (await api.inventory.snapshot()).nodes.keys() },
  storage: {
    resource: "proxmox_storage.NAME.id",
    names: async (api) => (await api.inventory.snapshot()).storages.map(({ storage }) => storage),
    audit: (name) => [`/storage/${name}`, "Datastore.Audit"],
  },
  pool: {
    resource: "proxmox_pool.NAME.id",
    names: async (api) => (await api.inventory.snapshot()).pools,
    audit: (name) => [`/pool/${name}`, "Pool.Audit"],
  },
  guest: {
    names: async (api) => [...(await api.inventory.snapshot()).guests.keys()].map(String),
    audit: (name) => [`/vms/${name}`, "VM.Audit"],
  },
  user: {
    resource: "proxmox_user.NAME.id",
    names: (api) => ids(api, "user.cfg", "/access/users/{userid}"),
    audit: () => ["/access/groups", "Sys.Audit"],
  },
  group: {
    resource: "proxmox_group.NAME.id",
    names: (api) => ids(api, "user.cfg", "/access/groups/{groupid}"),
    audit: (name) => [`/access/groups/${name}`, "User.Modify"],
  },
  role: { resource: "proxmox_role.NAME.id", names: (api) => ids(api, "user.cfg", "/access/roles/{roleid}") },
  realm: { resource: "proxmox_realm.NAME.id", names: (api) => ids(api, "domains.cfg", "/access/domains/{realm}") },
  vnet: {
    resource: "proxmox_sdn_vnet.NAME.id",
    names: (api) => stagedIds(api, "/cluster/sdn/vnets", "vnet"),
    audit: () => ["/sdn", "SDN.Audit"],
  },
  zone: {
    noun: "SDN zone",
    resource: "proxmox_sdn_zone.NAME.id",
    names: (api) => stagedIds(api, "/cluster/sdn/zones", "zone"),
    audit: (name) => [`/sdn/zones/${name}`, "SDN.Audit"],
  },
  controller: {
    noun: "SDN controller",
    resource: "proxmox_sdn_controller.NAME.id",
    names: (api) => stagedIds(api, "/cluster/sdn/controllers", "controller"),
    audit: (name) => [`/sdn/controllers/${name}`, "SDN.Audit"],
  },
  fabric: {
    noun: "SDN fabric",
    resource: "proxmox_sdn_fabric.NAME.id",
    names: (api) => ids(api, "SDN", "/cluster/sdn/fabrics/fabric/{id}"),
    audit: (name) => [`/sdn/fabrics/${name}`, "SDN.Audit"],
  },
  ipam: {
    noun: "IPAM",
    resource: "proxmox_sdn_ipam.NAME.id",
    names: (api) => ids(api, "SDN", "/cluster/sdn/ipams/{ipam}"),
    audit: () => ["/sdn", "SDN.Audit"],
  },
  dns: {
    noun: "DNS server of SDN",
    resource: "proxmox_sdn_dns.NAME.id",
    names: (api) => ids(api, "SDN", "/cluster/sdn/dns/{dns}"),
    audit: () => ["/sdn", "SDN.Audit"],
  },
  mapping: {
    resource: "proxmox_hardware_mapping.NAME.name",
    names: async (api) =>
      (await Promise.all((["pci", "usb", "dir"] as const).map((kind) => api.mappings[kind].list()))).flatMap((all) =>
        all.flatMap(({ id }) => id ?? []),
      ),
    audit: () => ["/mapping", "Mapping.Audit"],
  },
  endpoint: {
    noun: "notification endpoint",
    resource: "proxmox_notification_endpoint.NAME.name",
    names: (api) => ids(api, "notifications.cfg", "/cluster/notifications/targets/{name}"),
    audit: () => ["/mapping/notifications", "Mapping.Audit"],
  },
  acme_account: {
    noun: "ACME account",
    resource: "proxmox_acme_account.NAME.name",
    names: (api) => ids(api, "ACME", "/cluster/acme/account/{name}"),
  },
  acme_plugin: {
    noun: "ACME plugin",
    resource: "proxmox_acme_plugin.NAME.id",
    names: (api) => ids(api, "ACME", "/cluster/acme/plugins/{plugin}"),
  },
};

export interface Referral {
  readonly kind: Reference;
  readonly name: string;
  readonly path: PathLike;
  /** Where the object must be, if that is not everywhere: the names there, and the place as messages name it. */
  readonly among?: { readonly names: Iterable<string>; readonly where: string } | undefined;
}

/** The message about an object that does not exist. */
export function missing({ kind, name, among }: Omit<Referral, "path">, existing: Iterable<string>) {
  const { noun = kind, resource } = kinds[kind];
  const subject = noun.charAt(0).toUpperCase() + noun.slice(1);
  const where = among?.where ? ` ${among.where}` : "";
  const cure = resource ? ` If this configuration creates it, refer to it: \`${resource}\`.` : "";
  return {
    summary: `No such ${noun}`,
    detail: `${subject} \`${name}\` does not exist${where}. ${alternatives(name, existing)}${cure}`,
  };
}

/**
 * Refuses a name that does not exist, unless the same plan creates it, in whichever order Terraform plans the two. A caller
 * who could not see the object is not refused.
 */
export async function checkReference(api: Session, report: Pick<Report, "error">, given: Referral): Promise<boolean> {
  const { kind, name, path, among } = given;
  const { resource, names, audit } = kinds[kind];
  if (api.planned.has(kind, name)) return true;
  const existing = new Set(among?.names ?? (await names(api)));
  if (existing.has(name)) return true;
  if (audit && !(await canAudit(api, ...audit(name)))) return true;
  if (resource && (await api.planned.includes(kind, name))) return true;
  const { summary, detail } = missing(given, existing);
  report.error(path, summary, detail);
  return false;
}

/** How long a create waits for an object that it refers to and that Terraform creates at the same time. */
const patienceMs = 60_000;

/** Waits for an object that the same run creates, if it does: Terraform does not know that one needs the other. */
export function awaitReference(
  api: Session,
  { kind, name, signal }: Pick<Referral, "kind" | "name"> & { readonly signal: AbortSignal },
): Promise<void> {
  return api.planned.created(kind, name, patienceMs, signal);
}
