import { setTimeout as sleep } from "node:timers/promises";
import { bool, type PathLike, type Report, type Session, string } from "#kit";
import { rangeOf } from "./addresses.ts";
import { faultOfNetwork } from "./formats.ts";
import type { Rule } from "./list/rule.ts";
import { readOptions } from "./options-model.ts";
import { ownConnection } from "./own-address.ts";
import { Packet } from "./packet.ts";
import { firewallAfter, type PlannedFirewall, planFirewall } from "./planned-firewalls.ts";
import { clusterScope, requirePlace, type Scope } from "./scope.ts";

/** What a person says about the check. */
export const lockOutAttributes = {
  own_address: {
    type: string({ check: faultOfNetwork }),
    mode: "optional",
    local: true,
    doc: "Address from which the nodes see the provider, for the check that a change of firewalls does not lock it out. Left out: this side of its connection, which is another one behind NAT.",
  },
  allow_lockout: {
    type: bool(),
    mode: "optional",
    local: true,
    doc: "Whether the plan may refuse packets of the provider itself. Left out: such a plan is refused.",
  },
} as const;

interface Confirmation {
  readonly own_address?: string | null | undefined;
  readonly allow_lockout?: boolean | null | undefined;
}

/** How long plans of other resources have to announce what they change. */
const quietMs = 300;

interface Change extends PlannedFirewall {
  readonly scope: Scope;
}

/**
 * Refuses a plan after which the cluster would refuse the provider's own packets. It is sure of that before it refuses:
 * what cannot be resolved counts as allowed.
 */
export async function checkLockOut(
  api: Session,
  report: Pick<Report, "error">,
  path: PathLike,
  { scope, ...change }: Change,
  { own_address: given, allow_lockout: isAllowed }: Confirmation,
): Promise<void> {
  if (scope.kind !== "cluster" && scope.kind !== "node") return;
  planFirewall(api, scope, change);
  if (isAllowed !== null && isAllowed !== false) return;
  const connection = given === undefined ? null : await ownConnection(api);
  if (connection === null || given === undefined) return;
  const address = given ?? connection.address;
  if (rangeOf(address) === null || /^(127\.|::1$)/.test(address)) return;
  const packet = new Packet(api, address, connection.port);
  if ((await verdict(api, packet, scope)) === null) return;
  await sleep(quietMs);
  const reason = await verdict(api, packet, scope);
  if (reason === null) return;
  report.error(
    path,
    "The provider would lock itself out",
    `Packets from ${address} to port ${connection.port} would be refused: ${reason}. Neither this provider nor you at that address could reach the cluster any more. Add a rule such as \`{ type = "in", action = "ACCEPT", proto = "tcp", dport = "${connection.port}", source = "${address}" }\`, or an entry for the address in the IP set \`management\` of the cluster. If the nodes see another address, write it into \`own_address\`; if it is meant, write \`allow_lockout = true\`.`,
  );
}

/** Whether rules that go should wait until the firewall of the cluster is off, if the same run turns it off. */
export async function mayLockOut(api: Session, scope: Scope): Promise<boolean> {
  if (scope.kind !== "cluster" && scope.kind !== "node") return false;
  return Boolean((await readOptions(api, "cluster", await requirePlace(api, clusterScope)))["enabled"]);
}

/** What refuses the packet; null if it is allowed, as far as that is known. */
async function verdict(api: Session, packet: Packet, scope: Scope): Promise<string | null> {
  const cluster = await firewallAfter(api, { kind: "cluster" });
  if (!cluster.options["enabled"]) return null;
  const member = await memberFor(api, scope);
  if (member === undefined) return null;
  const { name: node, ip } = member;
  const host = await firewallAfter(api, { kind: "node", name: node });
  if (host.options["enabled"] === false) return null;
  // Rules of the node come first, then those of the cluster, then what PVE allows for management, then the policy.
  for (const [owner, rules] of [[`node ${node}`, host.rules] as const, ["the cluster", cluster.rules] as const]) {
    const decision = await packet.decide(rules);
    if (decision.kind === "refused") return `${describe(decision.rule)} of ${owner} matches them`;
    if (decision.kind === "allowed") return null;
  }
  if (await packet.isManagement(node, ip ?? null)) return null;
  const policy = cluster.options["policy_in"] ?? "DROP";
  return policy === "ACCEPT" ? null : `no rule allows them, and the policy for incoming packets is ${policy}`;
}

const describe = ({ action, comment }: Rule): string => `a rule with ${action}${comment ? ` (${comment})` : ""}`;

/** The node whose firewall is meant, or the one that answers. */
async function memberFor(api: Session, scope: Scope) {
  const members = await api.store.remember("members of the cluster", () => api.cluster.listMembers());
  const nodes = members.filter(({ type }) => type === "node");
  return nodes.find(({ name, local }) => (scope.kind === "node" ? name === scope.name : local));
}
