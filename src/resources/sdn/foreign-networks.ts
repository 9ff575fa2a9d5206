import { Failure, isChangedHere, isPveError, listedNetwork, networkScope, type Session } from "#kit";

/**
 * Nodes on which other clients have staged changes of interfaces. A commit of the SDN reloads the network of every node, and
 * puts them into effect, too. Server side: pve-network `src/PVE/API2/Network/SDN.pm`, `reload`.
 */
export async function foreignNetworks(api: Session, { isPlan = false } = {}): Promise<string[]> {
  const { nodes, isOnline } = await api.inventory.snapshot();
  const staged = await Promise.all(
    [...nodes.keys()]
      .filter((node) => isOnline(node) && !isChangedHere(api, networkScope(node)))
      .map(async (node) => ((await hasStaged(api, node, isPlan)) ? [node] : [])),
  );
  return staged.flat().sort();
}

/** A node that does not answer is not reloaded either. */
async function hasStaged(api: Session, node: string, isPlan: boolean): Promise<boolean> {
  try {
    const { changes } = await (isPlan ? listedNetwork(api, node) : api.network.listStaged(node));
    return changes !== undefined;
  } catch (reason) {
    if (isPveError(reason, "unreachable", "timeout")) return false;
    throw reason;
  }
}

export function refuseNetworks(nodes: readonly string[], left: string): Failure {
  const detail = `Other clients have staged changes of interfaces that a commit of the SDN would put into effect, too, on ${nodes.join(", ")}: it reloads the network of every node. ${left} Apply or revert them first (node > System > Network), or allow it with \`commit_foreign = true\`.`;
  return new Failure("Staged changes of other clients", detail);
}
