import type { Caller } from "../core/access/caller.ts";
import { splitList } from "../core/schema/format.ts";
import type { World } from "../core/world/world.ts";
import { mayUseBridge } from "./bridge-access.ts";

/** `get_local_vnets`: applied vnets of the node that the caller may see, in the form of network interfaces. */
export function localVnets(world: World, caller: Caller, node: string): Record<string, Record<string, unknown>> {
  const { zones, vnets } = world.sdn.running;
  const visible = Object.entries(vnets).filter(([id, { options }]) => {
    const zone = String(options["zone"]);
    const nodes = zones[zone]?.options["nodes"];
    const isHere = nodes === undefined || splitList(String(nodes)).includes(node);
    return isHere && mayUseBridge(world, caller, zone, id);
  });
  return Object.fromEntries(
    visible.map(([id, { options }]) => [
      id,
      {
        type: "vnet",
        active: "1",
        ipam: zones[String(options["zone"])]?.options["ipam"] === undefined ? 0 : 1,
        vlanaware: options["vlanaware"] === "1" ? 1 : 0,
        comments: options["alias"] ?? null,
      },
    ]),
  );
}

/** Applied fabrics of the node that the caller may see, in the form of network interfaces. */
export function localFabrics(world: World, caller: Caller, node: string): Record<string, Record<string, unknown>> {
  const { fabrics } = world.sdn.running;
  const ids = Object.values(fabrics)
    .filter(({ options }) => options["node_id"] === node)
    .map(({ options }) => String(options["fabric_id"]))
    .filter((id) => caller.hasAny(`/sdn/fabrics/${id}`, ["SDN.Audit", "SDN.Use", "SDN.Allocate"]));
  return Object.fromEntries(
    ids.map((id) => {
      const { ip_prefix: cidr, ip6_prefix: cidr6 } = fabrics[id]?.options ?? {};
      return [id, { type: "fabric", active: 1, ...(cidr && { cidr }), ...(cidr6 && { cidr6 }) }];
    }),
  );
}
