import type { AptEntry, AptRepositories } from "#pve";

/** One entry of a file of repositories. */
export interface Placed {
  readonly path: string;
  readonly index: number;
  readonly entry: AptEntry;
}

/** `/etc/apt/sources.list#0`: the first entry of that file. */
export function parsePlace(repository: string): { readonly path: string; readonly index: number } | null {
  const [, path, index] = /^(\/.+)#(\d+)$/.exec(repository) ?? [];
  return path === undefined ? null : { path, index: Number(index) };
}

/** The entry that a repository stands for; null if the node has none. */
export function findEntry({ files }: AptRepositories, repository: string): Placed | null {
  const all = files.flatMap(({ path, repositories }) =>
    repositories.map((entry, index): Placed => ({ path, index, entry })),
  );
  const place = parsePlace(repository);
  const isMeant = ({ path, index, entry }: Placed) =>
    place === null ? isStandard(repository, entry) : path === place.path && index === place.index;
  const found = all.filter(isMeant);
  return found.find(({ entry }) => entry.Enabled) ?? found[0] ?? null;
}

/** Standard repositories differ by their component, those of Ceph by the address, too (proxmox-apt: src/repositories). */
function isStandard(handle: string, { URIs, Components = [] }: AptEntry): boolean {
  const [, release, part] = /^ceph-([a-z]+)-(.+)$/.exec(handle) ?? [];
  if (release === undefined) return Components.some((one) => one === `pve-${handle}` || one === `pve${handle}`);
  return Components.includes(part ?? "") && URIs.some((uri) => uri.includes(`/ceph-${release}`));
}
