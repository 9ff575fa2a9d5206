import { alternatives, canAudit, type Session } from "#kit";
import type { VmPlan } from "../../contexts.ts";
import { type Change, isPlaced, willRun } from "./change.ts";
import { bridgesOn } from "./facts.ts";

/** Bridges that network cards are connected to, and what they let through. */
export async function checkNetworks(context: VmPlan, api: Session, change: Change): Promise<void> {
  const { config, report } = context;
  const { node, before, after } = change;
  const wanted = Object.entries(config.networks ?? {}).flatMap(([slot, card]) =>
    // What the card is connected to already needs no proof.
    card?.bridge && (isPlaced(context, change) || before.raw(slot) !== after.raw(slot))
      ? [[slot, card.bridge] as const]
      : [],
  );
  if (node === undefined || wanted.length === 0) return;
  const bridges = (await bridgesOn(api, node)) ?? [];
  const names = bridges.flatMap(({ iface }) => iface ?? []);
  for (const [slot, bridge] of wanted) {
    if (names.length === 0 || api.expected.has("bridge", bridge)) continue;
    const found = bridges.find(({ iface }) => iface === bridge);
    if (found !== undefined) {
      checkMtu(context, change, slot, { bridge, mtu: Number(found["mtu"] ?? Number.NaN) });
      continue;
    }
    const isConnected = !isPlaced(context, change) && before.read({ option: slot, key: "bridge" }) === bridge;
    if (isConnected || !(await canAudit(api, `/sdn/zones/localnetwork/${bridge}`, "SDN.Use"))) continue;
    report.error(
      ["networks", slot, "bridge"],
      "No such bridge",
      `Bridge \`${bridge}\` does not exist on ${node}. ${alternatives(bridge, names)}`,
    );
  }
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
