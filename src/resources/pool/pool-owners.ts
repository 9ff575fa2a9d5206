import type { Report, Session } from "#kit";

/** Who of this configuration says which storages are in a pool: the pool itself, or members of it. */
const owners = (api: Session) =>
  api.store.keep("who manages the storages of pools", () => ({
    listing: new Set<string>(),
    members: new Map<string, string>(),
  }));

type Reporting = Pick<Report, "error">;

/** `storages` of a pool names all of them, so a member beside it would be taken out again and again. */
export function claimAll(api: Session, report: Reporting, pool: string): void {
  const { listing, members } = owners(api);
  listing.add(pool);
  const storage = members.get(pool);
  if (storage !== undefined) refuse(report, "storages", pool, storage);
}

export function claimOne(api: Session, report: Reporting, pool: string, storage: string): void {
  const { listing, members } = owners(api);
  members.set(pool, storage);
  if (listing.has(pool)) refuse(report, "storage", pool, storage);
}

function refuse(report: Reporting, path: string, pool: string, storage: string): void {
  const detail = `\`storages\` of the proxmox_pool \`${pool}\` names all storages of the pool, and a proxmox_pool_member puts \`${storage}\` there: each apply would undo the other. Add \`${storage}\` to \`storages\` and remove the member, or leave \`storages\` out.`;
  report.error(path, "Two owners of a pool's storages", detail);
}
