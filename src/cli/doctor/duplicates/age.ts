import type { ListedTask, PveClient, VmAddress, VmConfig } from "#pve";

/** Since when a VM exists, and how that is known. */
export interface Age {
  /** Unix seconds. */
  readonly at: number;
  /**
   * `disk`: when its oldest disk was made. `task`: when something was first done to it, so it is at least that old.
   * `meta`: what its configuration says, which a clone copies from its template.
   */
  readonly evidence: "disk" | "task" | "meta";
}

/** The best there is: ZFS and Ceph do not tell when a volume was made, and task lists are forgotten in time. */
export async function ageOf(
  client: PveClient,
  vm: VmAddress,
  known: { readonly volumes: readonly number[]; readonly config: VmConfig | null },
): Promise<Age | undefined> {
  if (known.volumes.length > 0) return { at: Math.min(...known.volumes), evidence: "disk" };
  if (known.config === null) return undefined;
  const first = await firstTaskOf(client, vm);
  if (first !== undefined) return { at: first.starttime, evidence: "task" };
  const ctime = /(?:^|,)ctime=(\d+)/.exec(known.config.options["meta"] ?? "")?.[1];
  return ctime === undefined ? undefined : { at: Number(ctime), evidence: "meta" };
}

const enough = 1000;

/** What was done before the last destruction was done to another VM that had this VMID. */
async function firstTaskOf({ tasks }: PveClient, { node, vmid }: VmAddress): Promise<ListedTask | undefined> {
  const { tasks: listed } = await tasks.list(node, { vmid, source: "all", limit: enough });
  const inOrder = listed.toSorted((a, b) => a.starttime - b.starttime);
  return inOrder[inOrder.findLastIndex(({ type }) => type === "qmdestroy") + 1];
}
