import { alternatives, canAudit, type Members, type Session } from "#kit";
import type { GuestPlan } from "../../context.ts";
import { type Change, isPlaced } from "./change.ts";
import { bridgesOn } from "./facts.ts";

type Networks = Readonly<Record<string, Members | undefined>> | null | undefined;

/** What PVE does with a card whose MTU is larger than the bridge's; null: nothing. */
type Consequence = (slot: string) => string | null;

/** Checks the bridges that network cards are connected to, and their MTU. */
export async function checkNetworks(
  context: GuestPlan,
  api: Session,
  change: Change,
  consequence: Consequence,
): Promise<void> {
  const { config, report } = context;
  const { node } = change;
  const networks = (config as Members)["networks"] as Networks;
  const wanted = Object.entries(networks ?? {}).flatMap(([slot, card]) => {
    const bridge = card?.["bridge"];
    return typeof bridge === "string" && bridge !== ""
      ? [{ slot, bridge, ...newsOf(context, change, slot, bridge) }]
      : [];
  });
  if (node === undefined || !wanted.some(({ isConnected, hasMtu }) => isConnected || hasMtu)) return;
  const isThere = (all: readonly { readonly iface?: string | undefined }[] | null) =>
    wanted.every(({ bridge }) => all?.some(({ iface }) => iface === bridge));
  const bridges = (await bridgesOn.showing(api, [node], isThere)) ?? [];
  const names = bridges.flatMap(({ iface }) => iface ?? []);
  for (const { slot, bridge, isConnected, hasMtu } of wanted) {
    if (names.length === 0) continue;
    const found = bridges.find(({ iface }) => iface === bridge);
    const limit = Number(found?.["mtu"] ?? Number.NaN);
    if (found && hasMtu) checkMtu(context, change, { slot, bridge, limit }, consequence(slot));
    if (found || !isConnected || !(await canAudit(api, `/sdn/zones/localnetwork/${bridge}`, "SDN.Use"))) continue;
    if (await api.planned.includes("bridge", bridge)) continue;
    report.error(
      ["networks", slot, "bridge"],
      "No such bridge",
      `Bridge \`${bridge}\` does not exist on ${node}. ${alternatives(bridge, names)}`,
    );
  }
}

/** A card that is already connected to the bridge, on the same node, is not checked. */
function newsOf(context: GuestPlan, change: Change, slot: string, bridge: string) {
  const { before, after, node, source } = change;
  const isElsewhere = source === undefined ? isPlaced(context, change) : source.node !== node;
  const isOther = (key: string, value: unknown) => before.read({ option: slot, key }) !== value;
  const isConnected = isElsewhere || isOther("bridge", bridge);
  const mtu = after.read({ option: slot, key: "mtu" });
  return { isConnected, hasMtu: Number(mtu ?? 0) > 1 && (isConnected || isOther("mtu", mtu)) };
}

/** The bridge shows its MTU only if it is configured. */
function checkMtu(
  { report }: GuestPlan,
  { after }: Change,
  { slot, bridge, limit }: { readonly slot: string; readonly bridge: string; readonly limit: number },
  consequence: string | null,
): void {
  const wanted = Number(after.read({ option: slot, key: "mtu" }) ?? 0);
  if (consequence === null || !(wanted > limit)) return;
  report.error(
    ["networks", slot, "mtu"],
    "MTU above the bridge's",
    `Bridge \`${bridge}\` has an MTU of ${limit}, so a card with ${wanted} ${consequence}. Use at most ${limit}.`,
  );
}
