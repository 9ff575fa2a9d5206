import { setTimeout as sleep } from "node:timers/promises";
import { type CommitContext, type CommitResult, isPveError } from "#kit";

type Problem = CommitResult["problems"][number];

/** Clocks tick in whole seconds. */
const slackSeconds = 3;

/** How many polls a node may take to show the new version after its reload has ended. */
const patiencePolls = 20;

/**
 * Waits for the reload of every node. The task of the commit ends with OK even if a node is offline or refuses, and it does
 * not wait for the reloads, so each node is asked: for its task, and for the state of its zones.
 */
export async function awaitReload(context: CommitContext, upid: string | null, startedAt: number): Promise<Problem[]> {
  const { api, signal } = context;
  if (upid !== null) await api.watch.wait(upid, { signal });
  const { nodes, isOnline } = await api.inventory.snapshot();
  const found = await Promise.all(
    [...nodes.keys()].sort().map((node) => (isOnline(node) ? checkNode(context, node, startedAt) : offline(node))),
  );
  return found.flat();
}

function offline(node: string): Problem[] {
  const detail = `The SDN was committed. Node ${node} could not be asked to reload its network; it takes the new configuration when it starts.`;
  return [{ summary: `Node ${node} is offline`, detail }];
}

async function checkNode(context: CommitContext, node: string, startedAt: number): Promise<Problem[]> {
  try {
    const failure = await failedReload(context, node, startedAt);
    const state = failure ?? (await unavailableZones(context, node));
    if (state === null) return [];
    const detail = `The SDN was committed, and node ${node} does not run it: ${state}. Solve it there, then run the action \`proxmox_sdn_apply\`, \`pvesh set /cluster/sdn\` on any node, or Apply under Datacenter > SDN in the web interface.`;
    return [{ summary: `Node ${node} has not reloaded its network`, detail }];
  } catch (reason) {
    if (!isPveError(reason, "unreachable", "timeout")) throw reason;
    return offline(node);
  }
}

/** The reload runs as root@pam: without Sys.Audit on the node it is not listed, and the zones tell. */
async function failedReload({ api, signal }: CommitContext, node: string, startedAt: number): Promise<string | null> {
  const filter = { source: "all", since: startedAt - slackSeconds, limit: 50, typefilter: "srvreload" } as const;
  const { tasks } = await api.tasks.list(node, filter, { signal });
  const ended = await Promise.allSettled(tasks.map(({ upid }) => api.watch.wait(upid, { signal, isForeign: true })));
  const [latest] = ended;
  return latest?.status === "rejected" ? String((latest.reason as Error).message) : null;
}

async function unavailableZones({ api, signal }: CommitContext, node: string): Promise<string | null> {
  for (let polls = 0; ; polls++) {
    const zones = await api.sdn.listZoneStatus(node, { signal });
    const isWaiting = zones.some(({ status }) => status === "pending");
    if (isWaiting && polls < patiencePolls) {
      await sleep(api.settings.tasks.pollMs, undefined, { signal });
      continue;
    }
    const broken = zones.filter(({ status }) => status !== "available" && status !== "ok");
    const reasons = await Promise.all(broken.map(({ zone, status }) => reasonOf({ api, signal }, node, zone, status)));
    return reasons.length === 0 ? null : reasons.join("; ");
  }
}

async function reasonOf(
  { api, signal }: Pick<CommitContext, "api" | "signal">,
  node: string,
  zone: string,
  status: string,
): Promise<string> {
  const vnets = await api.sdn.listVnetStatus(node, zone, { signal }).catch(() => []);
  const said = vnets.filter(({ statusmsg }) => statusmsg).map(({ vnet, statusmsg }) => `vnet ${vnet}: ${statusmsg}`);
  return `zone ${zone} is in state ${status}${said.length === 0 ? "" : ` (${said.join(", ")})`}`;
}
