import { Failure, isPveError, oncePerRun, type Session } from "#kit";

/** A node that answers for the Ceph cluster: any node on which Ceph is installed. */
export const cephNode = oncePerRun(async (api: Session): Promise<string> => {
  const nodes = [...(await api.inventory.snapshot()).nodes.values()].filter(({ status }) => status === "online");
  let last: Error | undefined;
  for (const { node } of nodes) {
    try {
      await api.collect("/nodes/{node}/ceph/pool", { node });
      return node;
    } catch (reason) {
      if (!isPveError(reason) || reason.kind === "permission") throw reason;
      last = reason;
    }
  }
  const said = last === undefined ? "" : ` The last one says: ${last.message}`;
  throw new Failure("No node with Ceph", `None of the nodes that are online has a Ceph cluster to manage.${said}`);
});
