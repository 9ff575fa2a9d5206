import { Failure, isPveError, listQuestion, oncePerRun, type Session } from "#kit";

/** Pools are the same on every node: what finds the node is the list that they are read from. */
const pools = listQuestion({ path: "/nodes/{node}/ceph/pool/{name}" });

/** A node that answers for the Ceph cluster: any node on which Ceph is installed. */
export const cephNode = oncePerRun(async (api: Session): Promise<string> => {
  const { nodes, isOnline } = await api.inventory.snapshot();
  let last: Error | undefined;
  for (const node of [...nodes.keys()].filter(isOnline)) {
    try {
      await api.store.remember(pools, () => api.collect("/nodes/{node}/ceph/pool", { node }));
      return node;
    } catch (reason) {
      if (!isPveError(reason) || reason.kind === "permission") throw reason;
      last = reason;
    }
  }
  const said = last === undefined ? "" : ` The last one says: ${last.message}`;
  throw new Failure("No node with Ceph", `None of the nodes that are online has a Ceph cluster to manage.${said}`);
});
