import { enumerate } from "#kit";
import type { Permissions } from "#pve";
import { type Check, notice, ok } from "../check.ts";
import { lacking } from "../vm-role.ts";

/** Bridges of the nodes are in a zone of this name (pve-network: src/PVE/Network/SDN.pm). */
const localZone = "localnetwork";

/** The bridges and vnets that a network card may use. */
export const bridges: Check = {
  id: "bridges",
  needs: ["login"],
  async look(context) {
    const { network } = context.client();
    const byNode = await Promise.all((await context.nodes()).map((node) => network.list(node, "any_bridge")));
    const [permissions, holds] = [await context.permissions(), await context.holds()];
    const seen = byNode.flat().flatMap(({ iface, type }) => (iface === undefined ? [] : [{ iface, type }]));
    const usable = seen.filter(({ iface, type }) => mayUse({ permissions, holds }, iface, type === "vnet"));
    if (seen.length === 0) {
      const isKnown = (await context.privileges())?.has("SDN.Use") !== false;
      return lacking(permissions)(
        "no bridge is visible",
        ...(isKnown ? [`Grant SDN.Use on /sdn/zones/${localZone}, or on /sdn/zones/${localZone}/<bridge>.`] : []),
        "If no node has a bridge, create one: the node, System, Network.",
      );
    }
    const others = enumerate(seen.filter((one) => !usable.includes(one)).map(({ iface }) => iface));
    if (usable.length === 0) {
      return lacking(permissions)(`visible, but not usable: ${others}`, `Grant SDN.Use on /sdn/zones/${localZone}.`);
    }
    const said = `network cards can use ${enumerate(usable.map(({ iface }) => iface))}`;
    return usable.length === seen.length ? ok(said) : notice(`${said}, not on ${others}`, "Those require SDN.Use.");
  },
};

interface Caller {
  readonly permissions: Permissions;
  holds(path: string, privilege: string): boolean;
}

/**
 * On the whole bridge or on one of its VLANs. PVE does not show the zone of a vnet, so a privilege on any zone is
 * enough.
 */
function mayUse({ permissions, holds }: Caller, bridge: string, isVnet: boolean): boolean {
  const zones = isVnet ? zonesIn(permissions) : [localZone];
  const paths = zones.map((zone) => `/sdn/zones/${zone}/${bridge}`);
  const vlans = Object.keys(permissions).filter((path) => paths.some((above) => path.startsWith(`${above}/`)));
  return [...paths, ...vlans].some((path) => holds(path, "SDN.Use"));
}

function zonesIn(permissions: Permissions): string[] {
  const named = Object.keys(permissions).flatMap((path) => /^\/sdn\/zones\/([^/]+)/.exec(path)?.[1] ?? []);
  return ["any", ...named.filter((zone) => zone !== localZone)];
}
