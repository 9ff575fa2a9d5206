import { alternatives, canAudit, type Members, type Session } from "#kit";
import type { GuestPlan } from "../../context.ts";
import { type Change, isPlaced, isStarted, sourceOf, willRun } from "./change.ts";
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
  if (networks === undefined) return;
  const wanted = bridgesIn(context, change, networks).map((one) => ({ ...one, ...newsOf(context, change, one) }));
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
    if (found && isConnected) checkTrunks(context, change, { slot, bridge, found });
    if (found || !isConnected || !(await canAudit(api, `/sdn/zones/localnetwork/${bridge}`, "SDN.Use"))) continue;
    if (await api.planned.includes("bridge", bridge)) continue;
    const path = ["networks", slot, "bridge"];
    report.warning(
      context.prior === null ? sourceOf(context, path) : path,
      "Bridge is not listed",
      `Bridge \`${bridge}\` of \`${slot}\` is not in the list of interfaces of ${node}. One that a script or another program makes is not listed, and works; without it, the apply fails. ${alternatives(bridge, names)}`,
    );
  }
}

interface Card {
  readonly slot: string;
  readonly bridge: string;
  /** Whether the configuration names the bridge. */
  readonly isWritten: boolean;
}

/** The cards that the guest will have, without those whose bridge is not known yet. */
function bridgesIn({ kind }: GuestPlan, { after }: Change, networks: Networks): Card[] {
  return after.slots(kind.families.networks).flatMap((slot) => {
    const card = networks?.[slot];
    const written = card?.["bridge"];
    const bridge = written ?? after.read({ option: slot, key: "bridge" });
    if ((card && written === undefined) || typeof bridge !== "string" || bridge === "") return [];
    return [{ slot, bridge, isWritten: typeof written === "string" }];
  });
}

/**
 * A card that is already connected to the bridge, on the same node, is checked only if the host connects it anew: if it
 * changes while the guest runs, or the guest is started.
 */
function newsOf(context: GuestPlan, change: Change, { slot, bridge, isWritten }: Card) {
  const { before, after, node, source } = change;
  const isElsewhere = source === undefined ? isPlaced(context, change) : source.node !== node;
  const isOther = (key: string, value: unknown) => before.read({ option: slot, key }) !== value;
  const isPlugged = willRun(context) && (isStarted(context) || slot in after.patch.set);
  const isConnected = isPlugged || (isWritten && (isElsewhere || isOther("bridge", bridge)));
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

/** A Linux bridge passes only VLANs of an aware one (pve-common: src/PVE/Network.pm, `tap_plug`). */
function checkTrunks(
  { report }: GuestPlan,
  { after }: Change,
  { slot, bridge, found }: { readonly slot: string; readonly bridge: string; readonly found: Members },
): void {
  const trunks = after.read({ option: slot, key: "trunks" }) ?? [];
  const isAware = found["type"] !== "bridge" || Boolean(Number(found["bridge_vlan_aware"] ?? 0));
  if (isAware || (trunks as string | readonly unknown[]).length === 0) return;
  report.error(
    ["networks", slot, "trunks"],
    "Bridge is not VLAN-aware",
    `Bridge \`${bridge}\` carries no VLANs of its own, so it cannot pass \`trunks\` to a guest. Make it VLAN-aware, use another bridge, or leave \`trunks\` out.`,
  );
}
