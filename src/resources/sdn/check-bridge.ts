import { alternatives, isPveError, oncePerRunFor, type Report, type Session } from "#kit";

type Values = { readonly [name: string]: unknown };

interface Zone {
  readonly config: object;
  readonly prior: object | null;
  readonly report: Pick<Report, "warning">;
}

/** Null where the caller lacks the privilege, or the node does not answer. */
const bridgesOn = oncePerRunFor((api, node: string) =>
  api.network.list(node, "any_bridge").catch((reason: unknown) => {
    if (isPveError(reason, "permission", "unreachable")) return null;
    throw reason;
  }),
);

/**
 * Warns of a bridge that a node of the zone does not list: Proxmox VE takes the zone, and the node then has none of its vnets
 * (pve-network: src/PVE/Network/SDN/Zones/VlanPlugin.pm, `generate_sdn_config`).
 */
export async function checkBridge({ config, prior, report }: Zone, api: Session, type: string): Promise<void> {
  const bridge = bridgeIn(config, type);
  const { nodes: listed } = config as { readonly nodes?: readonly unknown[] | null };
  if (bridge === undefined || listed === undefined) return;
  const isKept = prior !== null && bridgeIn(prior, type) === bridge && isSame((prior as Values)["nodes"], listed);
  if (isKept) return;
  const online = [...(await api.inventory.snapshot()).nodes.values()].filter(({ status }) => status === "online");
  for (const { node } of online) {
    if (listed !== null && !listed.includes(node)) continue;
    const names = (await bridgesOn(api, node))?.flatMap(({ iface }) => iface ?? []) ?? [];
    if (names.length === 0 || names.includes(bridge)) continue;
    if (await api.planned.includes("bridge", bridge)) return;
    const detail = `Bridge \`${bridge}\` is not in the list of interfaces of node ${node}, and each node of the zone needs it. One that a script or another program makes is not listed, and works. ${alternatives(bridge, names)} If the zone is not for all nodes, name its nodes in \`nodes\`.`;
    report.warning([type, "bridge"], "Bridge is not listed", detail);
    return;
  }
}

function bridgeIn(values: object, type: string): string | undefined {
  const bridge = ((values as Values)[type] as Values | null | undefined)?.["bridge"];
  return typeof bridge === "string" ? bridge : undefined;
}

const isSame = (before: unknown, after: unknown): boolean => JSON.stringify(before) === JSON.stringify(after);
