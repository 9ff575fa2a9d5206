import { endpoint } from "../core/kernel/endpoint.ts";
import { node } from "../core/schema/standard-options.ts";

/** pve-manager `PVE/API2/Nodes.pm`, `netstat`: the counters of running guests' network cards. There is no traffic. */
export const networkCounterEndpoints = [
  endpoint({
    method: "GET",
    path: "/nodes/{node}/netstat",
    proxyTo: "node",
    permissions: { check: ["perm", "/nodes/{node}", ["Sys.Audit"]] },
    parameters: { node },
    handler: ({ world, node: here }) =>
      Object.values(world.guests)
        .filter((guest) => guest.node === here && guest.run !== undefined)
        .flatMap(({ vmid, config }) =>
          Object.keys(config)
            .filter((key) => /^net\d+$/.test(key))
            .sort()
            .map((dev) => ({ vmid: String(vmid), dev, in: "0", out: "0" })),
        ),
  }),
];
