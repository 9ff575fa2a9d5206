import { enumerate, isGranted } from "#kit";
import type { Permissions } from "#pve";
import { type Check, failed, notice, ok } from "../check.ts";

/** Bridges of the hosts are in a zone of this name (pve-network: src/PVE/Network/SDN.pm). */
const localZone = "localnetwork";

/** Which bridges and vnets a network card may be put on. */
export const bridges: Check = {
  id: "bridges",
  needs: ["login"],
  async look(visit) {
    const { network } = visit.client();
    const byNode = await Promise.all((await visit.nodes()).map((node) => network.list(node, "any_bridge")));
    const permissions = await visit.permissions();
    const seen = byNode.flat().flatMap(({ iface, type }) => (iface === undefined ? [] : [{ iface, type }]));
    const usable = seen.filter(({ iface, type }) => mayUse(permissions, iface, type === "vnet"));
    if (seen.length === 0) {
      return failed(
        "no bridge is to be seen",
        `Grant SDN.Use on /sdn/zones/${localZone}, or on /sdn/zones/${localZone}/<bridge>.`,
        "If no node has a bridge, make one: the node, System, Network.",
      );
    }
    const others = enumerate(seen.filter((one) => !usable.includes(one)).map(({ iface }) => iface));
    if (usable.length === 0) {
      return failed(`seen, but not to be used: ${others}`, `Grant SDN.Use on /sdn/zones/${localZone}.`);
    }
    const said = `network cards can be put on ${enumerate(usable.map(({ iface }) => iface))}`;
    return usable.length === seen.length
      ? ok(said)
      : notice(`${said}, not on ${others}`, "That takes SDN.Use on them.");
  },
};

/** On the whole of it or on a VLAN of it. Which zone a vnet is in is not told, so any zone with rights will do. */
function mayUse(permissions: Permissions, bridge: string, isVnet: boolean): boolean {
  const zones = isVnet ? zonesIn(permissions) : [localZone];
  const paths = zones.map((zone) => `/sdn/zones/${zone}/${bridge}`);
  const vlans = Object.keys(permissions).filter((path) => paths.some((above) => path.startsWith(`${above}/`)));
  return [...paths, ...vlans].some((path) => isGranted(permissions, path, "SDN.Use"));
}

function zonesIn(permissions: Permissions): string[] {
  const named = Object.keys(permissions).flatMap((path) => /^\/sdn\/zones\/([^/]+)/.exec(path)?.[1] ?? []);
  return ["any", ...named.filter((zone) => zone !== localZone)];
}
