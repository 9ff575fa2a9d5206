import {
  type CommitContext,
  type CommitResult,
  Failure,
  type IsOwn,
  isPveError,
  listedNetwork,
  networkScope,
  type Session,
  type StagedChange,
  type StagedScope,
  type StagedState,
  stagedIn,
  step,
  whyKept,
} from "#kit";
import type { NetworkInterface } from "#pve";
import { awaitNode } from "./await-node.ts";

const type = "proxmox_network_interface";

type Listed = Awaited<ReturnType<Session["network"]["listStaged"]>>;

/** The interfaces of a node with what is staged, and which of them differ from what runs. */
export interface NodeNetwork {
  readonly interfaces: readonly NetworkInterface[];
  readonly staged: ReadonlyMap<string, StagedState>;
  /** What only the running or only the staged file says of an interface. */
  readonly differences: ReadonlyMap<string, readonly string[]>;
  /** Whether anything is staged, even if no interface can be named. */
  readonly isStaged: boolean;
}

export const readNetwork = async (api: Session, node: string, signal?: AbortSignal): Promise<NodeNetwork> =>
  networkIn(await api.network.listStaged(node, { signal }));

function networkIn(listed: Listed): NodeNetwork {
  const { interfaces: staged, differences } = stagedIn(listed);
  return { interfaces: listed.interfaces, staged, differences, isStaged: listed.changes !== undefined };
}

/** The same, as this run has read it last. */
export const networkOf = async (api: Session, node: string): Promise<NodeNetwork> =>
  networkIn(await listedNetwork(api, node));

/**
 * Changes that the run does not own. PVE itself changes members of bonds and bridges, those that joined and those that left, and
 * the list of ports of the Open vSwitch that a port or bond is made for.
 */
function foreignIn(network: NodeNetwork, node: string, isOwn: (key: string) => boolean): string[] {
  const { interfaces, staged, differences } = network;
  const isOwnName = (name: string) => isOwn(`${type} ${node}/${name}`);
  const members = new Set([
    ...interfaces.filter(({ iface }) => isOwnName(iface ?? "")).flatMap(membersOf),
    ...[...differences].filter(([name]) => isOwnName(name)).flatMap(([, lines]) => lines.flatMap(wordsOf)),
  ]);
  const hasOwnPortsOnly = (name: string) => portsThatDiffer(differences.get(name) ?? [])?.every(isOwnName) === true;
  const foreign = [...staged].filter(([name]) => !(isOwnName(name) || members.has(name) || hasOwnPortsOnly(name)));
  return foreign.map(([name, state]) => `${name} (${state})`);
}

const wordsOf = (line: string): string[] => line.split(" ").slice(1);

/** The ports that joined or left an Open vSwitch, or null if anything else of it differs. */
function portsThatDiffer(lines: readonly string[]): string[] | null {
  if (lines.length === 0 || !lines.every((line) => line.startsWith("ovs-ports "))) return null;
  const words = lines.flatMap(wordsOf);
  return words.filter((word) => words.indexOf(word) === words.lastIndexOf(word));
}

/** Interfaces that are in a bridge or a bond. */
export const membersOf = (one: Readonly<Record<string, unknown>>): string[] =>
  ["bridge_ports", "slaves", "ovs_ports", "ovs_bonds"]
    .flatMap((option) => String(one[option] ?? "").split(/[\s,;]+/))
    .filter(Boolean);

const refuseForeign = (node: string, foreign: readonly string[], left: string): Failure =>
  new Failure(
    "Staged changes of other clients",
    `Other clients have staged changes of the network of node ${node} that a reload would put into effect, too: ${foreign.join(", ")}. ${left} Apply or revert them first (${node} > System > Network), or allow it with \`commit_foreign = true\`.`,
  );

/** The network of one node: all its interfaces wait for one reload. */
export const nodeNetwork = (node: string): StagedScope => ({
  name: networkScope(node),

  check: (api, change, isOwn) => refuseStaged(api, node, change, isOwn),

  prepare: (api, change, isOwn) => refuseStaged(api, node, change, isOwn),

  commit: (context) => reloadNetwork(context, node),

  // They stay changed when the bond that had them is removed before it was ever in effect.
  companions: (settings) =>
    ["bridge", "bond", "ovs_bridge", "ovs_bond"]
      .map((kind) => settings[kind] as { ports?: string[] | null; slaves?: string[] | null } | null | undefined)
      .flatMap((one) => [...(one?.ports ?? []), ...(one?.slaves ?? [])])
      .map((name) => `${type} ${node}/${name}`),

  async warn(api, report, isOwn) {
    const foreign = foreignIn(await networkOf(api, node), node, isOwn);
    const warned = api.store.keep(`warned of the network of ${node}`, () => ({ isDone: false }));
    if (foreign.length === 0 || warned.isDone) return;
    warned.isDone = true;
    const detail = `Changes of the network of node ${node} are staged and not in effect: ${foreign.join(", ")}. Those of this configuration are committed with it, such as what an interrupted run has left. If other clients have made any of them, the apply stops before it writes; \`commit_foreign = true\` lets it commit them, too.`;
    report.warning(null, "Staged changes of a network", detail);
  },

  async isUncommitted(api, key) {
    const { staged } = await readNetwork(api, node);
    return [...staged].some(([name, state]) => key === `${type} ${node}/${name}` && state === "new");
  },

  async isRemovalStaged(api, key) {
    const { staged } = await networkOf(api, node);
    return [...staged].some(([name, state]) => key === `${type} ${node}/${name}` && state === "deleted");
  },
});

async function refuseStaged(api: Session, node: string, { commitsForeign }: StagedChange, isOwn: IsOwn): Promise<void> {
  if (commitsForeign) return;
  const foreign = foreignIn(await readNetwork(api, node), node, isOwn);
  if (foreign.length > 0) throw refuseForeign(node, foreign, "Nothing was changed.");
}

/** One reload for all that is staged. Server side: pve-manager `PVE/API2/Network.pm`, `reload_network_config`. */
export function reloadNetwork(context: CommitContext, node: string): Promise<CommitResult> {
  const { api, changes, isOwn, log, signal } = context;
  const detail = `the network of ${node} for ${changes.length} changes`;
  return step(log, "commit", { detail, changes: changes.length }, async () => {
    const network = await readNetwork(api, node, signal);
    const foreign = foreignIn(network, node, isOwn);
    if (foreign.length > 0 && !changes.some(({ commitsForeign }) => commitsForeign)) {
      throw refuseForeign(node, foreign, "What this run has staged waits, and is not in effect.");
    }
    if (!network.isStaged) return { problems: [] };
    try {
      await reload(context, node);
    } catch (reason) {
      throw await revert(context, node, reason);
    } finally {
      api.store.forget(`/nodes/${node}/network`);
    }
    return { problems: [] };
  });
}

/** The connection may be cut in the middle: what counts is that the node answers afterwards, with nothing left to apply. */
async function reload({ api, signal }: CommitContext, node: string): Promise<void> {
  let failure: unknown;
  try {
    await api.watch.wait(await api.network.apply(node, { signal }), { signal });
  } catch (reason) {
    if (!isPveError(reason, "unreachable", "timeout")) throw reason;
    failure = reason;
  }
  if (!(await awaitNode(api, node, signal))) {
    const detail = `Node ${node} does not answer since its network was reloaded. Its interfaces may be set so that it cannot be reached: check them on its console (/etc/network/interfaces; \`ifreload -a\` applies them). Proxmox VE does not restore the previous ones.`;
    throw new Failure(`Node ${node} cannot be reached`, detail, { cause: failure });
  }
  if (failure !== undefined && (await readNetwork(api, node, signal)).isStaged) throw failure;
}

/** What PVE refused to apply is still staged: it is dropped, unless other clients have a part in it. */
async function revert(context: CommitContext, node: string, reason: unknown): Promise<Failure> {
  if (reason instanceof Failure) return reason;
  const said = reason instanceof Error ? reason.message : String(reason);
  const outcome = await drop(context, node).catch(
    (failure: Error) => `Whether the changes are in effect is not known: ${failure.message}. The next apply finds out.`,
  );
  return new Failure(`Unable to reload the network of ${node}`, `${said}\n\n${outcome}`, { cause: reason });
}

async function drop({ api, isOwn, forgotten = [] }: CommitContext, node: string): Promise<string> {
  const network = await readNetwork(api, node);
  if (!network.isStaged) {
    return "Nothing is staged any more: the file of the interfaces has the changes, and the node may run some of them.";
  }
  const isAlone = foreignIn(network, node, isOwn).length === 0;
  const kept = isAlone ? whyKept(forgotten) : "other clients have a part in them";
  if (kept !== null) return `The staged changes stay, since ${kept}; the node runs what it ran before.`;
  await api.network.discard(node);
  return "The staged changes of this run were dropped; the node runs what it ran before.";
}
