import type { ConfigDraft, Need } from "#kit";
import { guestPrivileges } from "../../privileges.ts";
import { onPath } from "./need.ts";

/** The zones that a bridge or vnet may be in. */
export type Zones = (bridge: string) => readonly string[];

/**
 * A card requires `SDN.Use` on each of its VLANs, or on the whole bridge (pve-guest-common: src/PVE/GuestHelpers.pm,
 * `check_vnet_access`).
 */
export function networkNeeds(draft: ConfigDraft, option: string, attribute: Need["attribute"], zones: Zones): Need[] {
  const read = (key: string): string => String(draft.read({ option, key }) ?? "");
  const bridge = read("bridge");
  if (bridge === "") return [];
  const isOnHost = /^vmbr\d+$/.test(bridge);
  const trunks = vlansIn(draft.read({ option, key: "trunks" }) as readonly string[] | null);
  const need = (below: string, grantOn?: string): Need => {
    const paths = (isOnHost ? ["localnetwork"] : zones(bridge)).map((zone) => `/sdn/zones/${zone}/${bridge}${below}`);
    const place = isOnHost ? grantOn : "/sdn/zones";
    return { ...onPath(guestPrivileges.connect, "", attribute), paths, ...(place && { grantOn: place }) };
  };
  const tagged = read("tag") === "" ? [] : [need(`/${read("tag")}`)];
  const whole = `/sdn/zones/localnetwork/${bridge}`;
  const all = [...tagged, ...trunks.map((vlan) => need(`/${vlan}`, whole))];
  return all.length === 0 ? [need("")] : all;
}

/** Every VLAN of `5` and `10-12`. */
const vlansIn = (trunks: readonly string[] | null): number[] =>
  (trunks ?? []).flatMap((range) => {
    const [first = 0, last = first] = range.split("-").map(Number);
    return Array.from({ length: Math.max(last - first, 0) + 1 }, (_, index) => first + index);
  });
