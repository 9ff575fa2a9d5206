import { alternatives, canAudit, type Session } from "#kit";
import { type Change, isPlaced, willRun } from "../../../guest/plan/checks/change.ts";
import { bridgesOn } from "../../../guest/plan/checks/facts.ts";
import type { VmPlan } from "../../contexts.ts";

/** Bridges that network cards are connected to, and what they let through. */
export async function checkNetworks(context: VmPlan, api: Session, change: Change): Promise<void> {
  const { config, report } = context;
  const { node } = change;
  const wanted = Object.entries(config.networks ?? {}).flatMap(([slot, card]) =>
    card?.bridge ? [{ slot, bridge: card.bridge, ...newsOf(context, change, slot, card.bridge) }] : [],
  );
  if (node === undefined || !wanted.some(({ isConnected, hasMtu }) => isConnected || hasMtu)) return;
  const isThere = (all: readonly { readonly iface?: string | undefined }[] | null) =>
    wanted.every(({ bridge }) => all?.some(({ iface }) => iface === bridge));
  const bridges = (await bridgesOn.showing(api, [node], isThere)) ?? [];
  const names = bridges.flatMap(({ iface }) => iface ?? []);
  for (const { slot, bridge, isConnected, hasMtu } of wanted) {
    if (names.length === 0 || api.planned.has("bridge", bridge)) continue;
    const found = bridges.find(({ iface }) => iface === bridge);
    if (found && hasMtu) checkMtu(context, change, slot, { bridge, mtu: Number(found["mtu"] ?? Number.NaN) });
    if (found || !isConnected || !(await canAudit(api, `/sdn/zones/localnetwork/${bridge}`, "SDN.Use"))) continue;
    report.error(
      ["networks", slot, "bridge"],
      "No such bridge",
      `Bridge \`${bridge}\` does not exist on ${node}. ${alternatives(bridge, names)}`,
    );
  }
}

/** What the card is connected to already, on the same node, needs no proof. */
function newsOf(context: VmPlan, change: Change, slot: string, bridge: string) {
  const { before, after, node, source } = change;
  const isElsewhere = source === undefined ? isPlaced(context, change) : source.node !== node;
  const isOther = (key: string, value: unknown) => before.read({ option: slot, key }) !== value;
  const isConnected = isElsewhere || isOther("bridge", bridge);
  const mtu = after.read({ option: slot, key: "mtu" });
  return { isConnected, hasMtu: Number(mtu ?? 0) > 1 && (isConnected || isOther("mtu", mtu)) };
}

/** qemu-server: src/PVE/QemuServer.pm, `print_netdevice_full`. The bridge says its MTU only where it was configured. */
function checkMtu(
  context: VmPlan,
  { after }: Change,
  slot: string,
  { bridge, mtu }: { bridge: string; mtu: number },
): void {
  const wanted = Number(after.read({ option: slot, key: "mtu" }) ?? 0);
  const isUsed = after.read({ option: slot, key: "model" }) === "virtio" && willRun(context);
  if (!isUsed || !(wanted > mtu)) return;
  context.report.error(
    ["networks", slot, "mtu"],
    "MTU above the bridge's",
    `Bridge \`${bridge}\` has an MTU of ${mtu}, so a card with ${wanted} keeps the VM from starting. Use at most ${mtu}, or \`1\` to take the bridge's.`,
  );
}
