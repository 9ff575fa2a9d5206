import { endpoint } from "../core/kernel/endpoint.ts";
import { die } from "../core/kernel/failure.ts";
import { indexEndpoint } from "../core/kernel/index-endpoint.ts";
import type { Simulation } from "../core/kernel/simulation.ts";
import { boolean } from "../core/schema/schema.ts";
import { addressEndpoints } from "./address-endpoints.ts";
import { commitSdn, reloadEverywhere, rollbackSdn } from "./apply.ts";
import { controllerEndpoints } from "./controller-endpoints.ts";
import { fabricEndpoints } from "./fabric-endpoints.ts";
import { fabricNodeEndpoints } from "./fabric-node-endpoints.ts";
import { nodeSdnEndpoints } from "./node-endpoints.ts";
import { hasRouting } from "./node-files.ts";
import { prefixListEndpoints } from "./prefix-list-endpoints.ts";
import { routeMapEndpoints } from "./route-map-endpoints.ts";
import { changeSdn, hasPendingChanges, lockToken } from "./sections.ts";
import { serverEndpoints } from "./server-endpoints.ts";
import { subnetEndpoints } from "./subnet-endpoints.ts";
import { vnetEndpoints } from "./vnet-endpoints.ts";
import { zoneEndpoints } from "./zone-endpoints.ts";

/** A UUID of version 7: it starts with the time, so that later tokens sort after earlier ones. */
function newToken({ clock, random }: Simulation): string {
  const time = Math.floor(clock.now() * 1000)
    .toString(16)
    .padStart(12, "0");
  const drawn = random.uuid().slice(15);
  return `${time.slice(0, 8)}-${time.slice(8)}-7${drawn}`;
}

const mayAllocate = { check: ["perm", "/sdn", ["SDN.Allocate"]] } as const;
const release = boolean({ optional: true, default: 1 });
const common = { protected: true, permissions: mayAllocate } as const;

/** pve-network `src/PVE/API2/Network/SDN.pm`: the configuration as a whole. */
export const sdnEndpoints = [
  indexEndpoint("/cluster/sdn", "id", ["vnets", "zones", "controllers", "ipams", "dns", "fabrics"], {
    permissions: { check: ["perm", "/sdn", ["SDN.Audit"]] },
  }),
  endpoint({
    ...common,
    method: "PUT",
    path: "/cluster/sdn",
    parameters: { ...lockToken, "release-lock": release },
    handler: async (call) => {
      const { world, params } = call;
      const hadRouting = hasRouting(world.sdn.running);
      await changeSdn(call, "could not commit SDN config", params["lock-token"], () => {
        commitSdn(world);
        // The documented default of the parameter has no effect: without it the lock stays.
        if (params["lock-token"] && params["release-lock"] === 1) {
          delete world.sdn.lockToken;
        }
      });
      return call.worker("reloadnetworkall", "", (task) =>
        reloadEverywhere(task, hadRouting || hasRouting(world.sdn.running)),
      );
    },
  }),
  endpoint({
    ...common,
    method: "POST",
    path: "/cluster/sdn/lock",
    parameters: { "allow-pending": boolean({ optional: true, default: 0 }) },
    handler: (call) =>
      changeSdn(call, "could not acquire lock for SDN config", undefined, () => {
        if (call.params["allow-pending"] !== 1 && hasPendingChanges(call.world)) {
          die("configuration has pending changes at /usr/share/perl5/PVE/API2/Network/SDN.pm line 150.");
        }
        call.world.sdn.lockToken = newToken(call.sim);
        return call.world.sdn.lockToken;
      }),
  }),
  endpoint({
    ...common,
    method: "DELETE",
    path: "/cluster/sdn/lock",
    parameters: { ...lockToken, force: boolean({ optional: true, default: 0 }) },
    handler: async (call) => {
      const { world, params } = call;
      const presented = params.force === 1 ? world.sdn.lockToken : params["lock-token"];
      await changeSdn(call, "could not release lock", presented, () => {
        delete world.sdn.lockToken;
      });
      return null;
    },
  }),
  endpoint({
    ...common,
    method: "POST",
    path: "/cluster/sdn/rollback",
    parameters: { ...lockToken, "release-lock": release },
    handler: async (call) => {
      const { world, params } = call;
      await changeSdn(call, "could not rollback SDN configuration", params["lock-token"], () => {
        rollbackSdn(world);
        if (params["lock-token"] && params["release-lock"] === 1) {
          delete world.sdn.lockToken;
        }
      });
      return null;
    },
  }),
  ...zoneEndpoints,
  ...vnetEndpoints,
  ...subnetEndpoints,
  ...addressEndpoints,
  ...controllerEndpoints,
  ...serverEndpoints,
  ...fabricEndpoints,
  ...fabricNodeEndpoints,
  ...prefixListEndpoints,
  ...routeMapEndpoints,
  ...nodeSdnEndpoints,
];
