import type { GuestAddress, GuestConfig, ListedTask, PveClient } from "#pve";

/** Since when a VM exists, and the source of that time. */
export interface Age {
  /** Unix seconds. */
  readonly at: number;
  /**
   * `disk`: when its oldest disk was created. `task`: the time of its first task, so it is at least that old. `meta`:
   * the time in its configuration, which a clone copies from its template.
   */
  readonly evidence: "disk" | "task" | "meta";
}

/** The best available source: ZFS and Ceph do not store when a volume was created, and old tasks are deleted. */
export async function ageOf(
  client: PveClient,
  vm: GuestAddress,
  known: { readonly volumes: readonly number[]; readonly config: GuestConfig | null },
): Promise<Age | undefined> {
  if (known.volumes.length > 0) return { at: Math.min(...known.volumes), evidence: "disk" };
  if (known.config === null) return undefined;
  const first = await firstTaskOf(client, vm);
  if (first !== undefined) return { at: first.starttime, evidence: "task" };
  const ctime = /(?:^|,)ctime=(\d+)/.exec(known.config.options["meta"] ?? "")?.[1];
  return ctime === undefined ? undefined : { at: Number(ctime), evidence: "meta" };
}

const enough = 1000;

/** Tasks before the last destruction belong to another VM that had this VMID. */
async function firstTaskOf({ tasks }: PveClient, { node, vmid }: GuestAddress): Promise<ListedTask | undefined> {
  const { tasks: listed } = await tasks.list(node, { vmid, source: "all", limit: enough });
  const inOrder = listed.toSorted((a, b) => a.starttime - b.starttime);
  return inOrder[inOrder.findLastIndex(({ type }) => type === "qmdestroy") + 1];
}
