import type { Process } from "../../core/kernel/process.ts";
import { zoneOfBridge } from "../../sdn/zones.ts";
import { netsOf, parseNet } from "../config/net.ts";

/** `get_tags_from_trunk`: every VLAN of `5;10-12`. */
function trunkTags(trunks: string): number[] {
  return trunks.split(";").flatMap((range) => {
    const [first = 0, last = first] = range.split("-").map(Number);
    return Array.from({ length: Math.max(last - first, 0) + 1 }, (_, index) => first + index);
  });
}

/** `check_bridge_access`: requires `SDN.Use` on the VLANs of a device, or on the whole bridge if it has none. */
export function checkBridgeAccess(
  { caller, sim: { world } }: Process,
  section: Record<string, string | undefined>,
): void {
  if (caller.isRoot) {
    return;
  }
  for (const [, value] of netsOf(section)) {
    const { bridge, tag, trunks } = parseNet(value);
    if (bridge === undefined) {
      continue;
    }
    const path = `/sdn/zones/${zoneOfBridge(world, bridge)}/${bridge}`;
    const tags = [...(tag === undefined ? [] : [tag]), ...(trunks === undefined ? [] : trunkTags(trunks))];
    for (const vlan of tags) {
      caller.check(`${path}/${vlan}`, ["SDN.Use"]);
    }
    if (tags.length === 0) {
      caller.check(path, ["SDN.Use"]);
    }
  }
}
