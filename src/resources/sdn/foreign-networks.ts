import { checkStaged, Failure, isPveError, listedNetwork, networkScope, type Session, stagedIn } from "#kit";

/**
 * Nodes on which other clients have staged changes of interfaces. A commit of the SDN reloads the network of every node, and
 * puts them into effect, too. Server side: pve-network `src/PVE/API2/Network/SDN.pm`, `reload`.
 */
export async function foreignNetworks(api: Session, { isPlan = false } = {}): Promise<string[]> {
  const { nodes, isOnline } = await api.inventory.snapshot();
  const online = [...nodes.keys()].filter(isOnline);
  const foreign = await Promise.all(online.map(async (node) => ((await isForeign(api, node, isPlan)) ? [node] : [])));
  return foreign.flat().sort();
}

async function isForeign(api: Session, node: string, isPlan: boolean): Promise<boolean> {
  try {
    const own = checkStaged(api, networkScope(node));
    if (own !== null) return await own.then(() => false);
    const { interfaces, isUnnamed } = stagedIn(
      await (isPlan ? listedNetwork(api, node) : api.network.listStaged(node)),
    );
    return interfaces.size > 0 || isUnnamed;
  } catch (reason) {
    // A node that does not answer is not reloaded either.
    if (isPveError(reason, "unreachable", "timeout")) return false;
    if (reason instanceof Failure) return true;
    throw reason;
  }
}

export function refuseNetworks(nodes: readonly string[], left: string): Failure {
  const detail = `Other clients have staged changes of interfaces that a commit of the SDN would put into effect, too, on ${nodes.join(", ")}: it reloads the network of every node. ${left} Apply or revert them first (node > System > Network), or allow it with \`commit_foreign = true\`.`;
  return new Failure("Staged changes of other clients", detail);
}
