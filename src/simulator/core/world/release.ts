import type { World } from "./world.ts";

/** Whether the version `one` of pve-manager is later than `other`. */
export function isAfter(one: string, other: string): boolean {
  const [mine = [], theirs = []] = [one, other].map((version) => version.split(".").map(Number));
  const index = mine.findIndex((figure, place) => figure !== (theirs[place] ?? 0));
  return index >= 0 && (mine[index] ?? 0) > (theirs[index] ?? 0);
}

/** Parts of the API that come with packages of their own: pve-network, pve-ha-manager, pve-qemu-kvm. */
export type Part = keyof NonNullable<World["parts"]>;

/** The version of pve-manager that was released with the packages of a part. */
export const versionOfPart = ({ version, parts }: Pick<World, "version" | "parts">, part?: Part): string =>
  (part === undefined ? undefined : parts?.[part]) ?? version.version;

/** Whether the cluster has a release before the one that brought something. */
export const isBefore = (world: World, since: string, part?: Part): boolean =>
  isAfter(since, versionOfPart(world, part));
