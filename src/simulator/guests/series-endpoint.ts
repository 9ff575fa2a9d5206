import { type Endpoint, endpoint } from "../core/kernel/endpoint.ts";
import { series, seriesParameters } from "../core/kernel/series.ts";
import type { Simulation } from "../core/kernel/simulation.ts";
import { node, vmid } from "../core/schema/standard-options.ts";
import type { Guest } from "../core/world/guest.ts";

/** The figures of a guest over time. */
export function seriesEndpoint(
  type: Guest["type"],
  figuresOf: (sim: Simulation, guest: Guest) => Readonly<Record<string, unknown>>,
): Endpoint {
  return endpoint({
    method: "GET",
    path: `/nodes/{node}/${type}/{vmid}/rrddata`,
    protected: true,
    permissions: { check: ["perm", "/vms/{vmid}", ["VM.Audit"]] },
    parameters: { node, vmid, ...seriesParameters },
    handler: ({ sim, world, node: here, params: { vmid: id, timeframe } }) => {
      const guest = world.guests[id];
      const isHere = guest?.type === type && guest.node === here;
      return series(sim, timeframe, isHere ? figuresOf(sim, guest) : undefined);
    },
  });
}
