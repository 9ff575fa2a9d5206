import { Failure, type PathLike, type Report } from "#framework";
import type { ConfigObject } from "#pve";
import { rolesOf } from "./host-privileges.ts";
import { listed } from "./listed.ts";
import { alternatives } from "./near-names.ts";
import { canAudit } from "./privileges.ts";
import { sentenceCase } from "./sentence-case.ts";
import type { Session } from "./session.ts";
import type { Reference } from "./wire/reference.ts";

interface Kind {
  /** As messages name it; default: the kind itself. */
  readonly noun?: string;
  /** The resources that create one, and the attribute that others refer to. */
  readonly resource?: string | readonly string[];
  /** The name in a text that can have more: a guest is also written as `vm:100`. */
  nameIn?(text: string): string;
  names(api: Session): Promise<Iterable<string>>;
  /** What a caller needs to see one, any of these: without it, a missing name proves nothing. */
  audit?(name: string): readonly [path: string, ...anyOf: string[]];
  /** Whether others create it, too, so that it may exist since the run has last looked. */
  readonly isShortLived?: boolean;
}

const ids = async (api: Session, file: string, path: string): Promise<string[]> => {
  const id = /\{([^}]+)\}$/.exec(path)?.[1] ?? "";
  return (await listed(api, file, { path })).map((one) => String(one[id]));
};

/** Objects of the SDN as they are edited: the list that their resources read, too. */
const stagedIds = async (api: Session, collection: string, id: string): Promise<string[]> => {
  const listed = await api.store.remember(collection, () => api.sdn.listPending(collection, {}));
  return listed.filter(({ state }) => state !== "deleted").map((one) => String({ ...one, ...one.pending }[id]));
};

/** Users with their tokens, as far as the caller may see them: the list that users are read from, too. */
const usersOf = (api: Session): Promise<ConfigObject[]> =>
  listed(api, "user.cfg", { path: "/access/users/{userid}", listing: { full: true } });

const tokenIds = async (api: Session): Promise<string[]> =>
  (await usersOf(api)).flatMap(({ userid, tokens }) =>
    ((tokens ?? []) as readonly { tokenid: string }[]).map(({ tokenid }) => `${String(userid)}!${tokenid}`),
  );

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
    resource: ["proxmox_vm.NAME.vmid", "proxmox_container.NAME.vmid"],
    nameIn: (text) => text.replace(/^(?:vm|ct):/, ""),
    isShortLived: true,
    names: async (api) => [...(await api.inventory.snapshot()).guests.keys()].map(String),
    audit: (name) => [`/vms/${name}`, "VM.Audit"],
  },
  user: {
    resource: "proxmox_user.NAME.id",
    names: async (api) => (await usersOf(api)).map(({ userid }) => String(userid)),
    audit: () => ["/access/groups", "Sys.Audit", "User.Modify"],
  },
  token: {
    resource: "proxmox_token.NAME.id",
    names: tokenIds,
    audit: () => ["/access/groups", "Sys.Audit", "User.Modify"],
  },
  group: {
    resource: "proxmox_group.NAME.id",
    names: (api) => ids(api, "user.cfg", "/access/groups/{groupid}"),
    audit: (name) => [`/access/groups/${name}`, "Sys.Audit", "User.Modify", "Group.Allocate"],
  },
  role: {
    resource: "proxmox_role.NAME.id",
    names: async (api) => (await rolesOf(api)).map(({ id }) => id),
  },
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
    names: (api) => stagedIds(api, "/cluster/sdn/fabrics/fabric", "id"),
    audit: (name) => [`/sdn/fabrics/${name}`, "SDN.Audit"],
  },
  prefix_list: {
    noun: "SDN prefix list",
    resource: "proxmox_sdn_prefix_list.NAME.id",
    names: (api) => stagedIds(api, "/cluster/sdn/prefix-lists", "id"),
    audit: (name) => [`/sdn/prefix-lists/${name}`, "SDN.Audit"],
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
      (
        await Promise.all(
          ["pci", "usb", "dir"].map((kind) => ids(api, "the mappings", `/cluster/mapping/${kind}/{id}`)),
        )
      ).flat(),
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
  const where = among?.where ? ` ${among.where}` : "";
  const creators = [resource ?? []].flat().map((one) => `\`${one}\``);
  const cure = creators.length > 0 ? ` If this configuration creates it, refer to it: ${creators.join(" or ")}.` : "";
  return {
    summary: `No such ${noun}`,
    detail: `${sentenceCase(noun)} \`${name}\` does not exist${where}. ${alternatives(name, existing)}${cure}`,
  };
}

/** The failure of a look-up: what does not exist, or is hidden from the caller. */
export function notFound({ kind, name, path }: Referral, visible: Iterable<string>): Failure {
  const { noun = kind } = kinds[kind];
  const detail = `${sentenceCase(noun)} \`${name}\` does not exist, or the caller may not see it. ${alternatives(name, visible)}`;
  return new Failure(`No such ${noun}`, detail, { path });
}

/**
 * Refuses a name that does not exist, unless the same plan creates it, in whichever order Terraform plans the two. A caller
 * who could not see the object is not refused.
 */
export async function checkReference(api: Session, report: Pick<Report, "error">, given: Referral): Promise<boolean> {
  const { kind, path, among } = given;
  const { resource, nameIn, names, audit, isShortLived } = kinds[kind];
  const name = nameIn?.(given.name) ?? given.name;
  if (api.planned.has(kind, name)) return true;
  let existing = new Set(among?.names ?? (await names(api)));
  if (!existing.has(name) && isShortLived) {
    api.inventory.forget();
    existing = new Set(await names(api));
  }
  if (existing.has(name)) return true;
  if (audit && !(await canAudit(api, ...audit(name)))) return true;
  if (resource && (await api.planned.includes(kind, name))) return true;
  const { summary, detail } = missing({ ...given, name }, existing);
  report.error(path, summary, detail);
  return false;
}

/** Whether an object is gone for certain: this caller could see it, and Proxmox VE does not list it. */
export async function isProvenMissing(api: Session, { kind, name }: Pick<Referral, "kind" | "name">): Promise<boolean> {
  const { names, audit } = kinds[kind];
  if (audit && !(await canAudit(api, ...audit(name)))) return false;
  return !new Set(await names(api)).has(name);
}

/** How long a create waits for an object that it refers to and that Terraform creates at the same time. */
const patienceMs = 60_000;

/** Waits for an object that the same run creates, if it does: Terraform does not know that one needs the other. */
export function awaitReference(
  api: Session,
  { kind, name, signal }: Pick<Referral, "kind" | "name"> & { readonly signal: AbortSignal },
): Promise<void> {
  return api.planned.created(kind, kinds[kind].nameIn?.(name) ?? name, patienceMs, signal);
}
