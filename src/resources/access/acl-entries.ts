import { alreadyExists, oncePerRun } from "#kit";
import type { AclEntry, AclKey } from "#pve";

/** All entries the caller may see: there is no way to ask for one. */
export const aclOf = oncePerRun((api) => api.access.acl.list());

export const isSameEntry = (a: AclKey, b: AclKey): boolean =>
  a.path === b.path && a.role === b.role && a.type === b.type && a.subject === b.subject;

/** `/vms/100:PVEVMUser:user:ann@pve`: none of the parts can have a colon in it. */
export const entryId = ({ path, role, type, subject }: AclKey): string => `${path}:${role}:${type}:${subject}`;

export function parseEntryId(id: string): AclKey | null {
  const [, path, role, type, subject] = /^(\/[^:]*):([^:]+):(user|group|token):([^:]+)$/.exec(id) ?? [];
  if (path === undefined || role === undefined || type === undefined || subject === undefined) return null;
  return { path, role, type: type as AclKey["type"], subject };
}

/** `PVEVMUser on /vms for user ann@pve` */
export const describeEntry = ({ path, role, type, subject }: AclEntry | AclKey): string =>
  `${role} on ${path} for ${type} ${subject}`;

export const entryExists = (key: AclKey) =>
  alreadyExists({
    type: "proxmox_acl",
    id: entryId(key),
    label: `ACL entry for ${describeEntry(key)}`,
    otherwise: "Otherwise grant another role, on another path or to another user.",
  });

export const findEntry = <E extends AclKey>(entries: readonly E[], key: AclKey): E | null =>
  entries.find((entry) => isSameEntry(entry, key)) ?? null;

export interface Written {
  readonly path: string | undefined;
  readonly role: string | undefined;
  readonly user?: string | null | undefined;
  readonly group?: string | null | undefined;
  readonly token?: string | null | undefined;
}

/** The entry that is written there; null while parts of it are not known yet. */
export function keyOf({ path, role, user, group, token }: Written): AclKey | null {
  if ([path, role, user, group, token].includes(undefined)) return null;
  const type = user ? "user" : group ? "group" : "token";
  const whom = user ?? group ?? token;
  return path && role && whom ? { path, role, type, subject: whom } : null;
}
