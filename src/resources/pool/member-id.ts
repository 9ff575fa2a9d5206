/** One guest or storage in a pool: `prod/vm/100`, `prod/web/storage/nas`. */
export interface MemberKey {
  readonly pool: string;
  readonly vmid: number | null;
  readonly storage: string | null;
}

export const memberId = ({ pool, vmid, storage }: MemberKey): string =>
  vmid === null ? `${pool}/storage/${storage}` : `${pool}/vm/${vmid}`;

export function parseMemberId(id: string): MemberKey | null {
  const [, pool, kind, name = ""] = /^(.+)\/(vm|storage)\/([^/]+)$/.exec(id) ?? [];
  if (pool === undefined || (kind === "vm" && !/^[1-9]\d{2,8}$/.test(name))) return null;
  return { pool, vmid: kind === "vm" ? Number(name) : null, storage: kind === "vm" ? null : name };
}

/** `VM or container 100`, `storage "nas"` */
export const showMember = ({ vmid, storage }: MemberKey): string =>
  vmid === null ? `storage \`${storage}\`` : `guest ${vmid}`;
