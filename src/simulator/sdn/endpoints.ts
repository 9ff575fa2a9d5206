import { Acl } from "../access/acl.ts";
import { Caller } from "../access/caller.ts";
import { endpoint } from "../kernel/endpoint.ts";
import { die } from "../kernel/failure.ts";
import { boolean, string } from "../schema/schema.ts";
import type { World } from "../world/world.ts";
import { changeSdn } from "./sections.ts";
import { vnetEndpoints } from "./vnet-endpoints.ts";
import { zoneEndpoints } from "./zone-endpoints.ts";

const mayAllocate = { check: ["perm", "/sdn", ["SDN.Allocate"]] } as const;
const token = string({ optional: true });
const release = boolean({ optional: true, default: 1 });

function hasPendingChanges({ sdn: { zones, vnets, running } }: World): boolean {
  return JSON.stringify({ zones, vnets }) !== JSON.stringify({ zones: running.zones, vnets: running.vnets });
}

/** pve-network `src/PVE/API2/Network/SDN.pm`: the configuration as a whole. */
export const sdnEndpoints = [
  endpoint({
    method: "GET",
    path: "/cluster/sdn",
    permissions: { check: ["perm", "/sdn", ["SDN.Audit"]] },
    parameters: {},
    handler: () => ["vnets", "zones", "controllers", "ipams", "dns", "fabrics"].map((id) => ({ id })),
  }),
  endpoint({
    method: "PUT",
    path: "/cluster/sdn",
    protected: true,
    permissions: mayAllocate,
    parameters: { "lock-token": token, "release-lock": release },
    handler: async (call) => {
      const { world, sim, params } = call;
      await changeSdn(call, "could not commit SDN config", params["lock-token"], () => {
        const { zones, vnets } = world.sdn;
        world.sdn.running = structuredClone({ zones, vnets });
        if (params["lock-token"] && params["release-lock"] !== 0) {
          delete world.sdn.lockToken;
        }
      });
      return call.worker("reloadnetworkall", "", () => {
        // Each node reloads in a task of its own, which this one does not wait for.
        const caller = new Caller(call.caller.id, new Acl(world.access));
        for (const node of Object.values(world.nodes).filter(({ online }) => online)) {
          sim.workers.fork({ node: node.name, caller, type: "srvreload", id: "networking", body: () => undefined });
        }
      });
    },
  }),
  endpoint({
    method: "POST",
    path: "/cluster/sdn/lock",
    protected: true,
    permissions: mayAllocate,
    parameters: { "allow-pending": boolean({ optional: true, default: 0 }) },
    handler: (call) =>
      changeSdn(call, "could not acquire lock for SDN config", undefined, () => {
        if (call.params["allow-pending"] !== 1 && hasPendingChanges(call.world)) {
          die("configuration has pending changes at /usr/share/perl5/PVE/API2/Network/SDN.pm line 172.");
        }
        call.world.sdn.lockToken = call.sim.random.uuid();
        return call.world.sdn.lockToken;
      }),
  }),
  endpoint({
    method: "DELETE",
    path: "/cluster/sdn/lock",
    protected: true,
    permissions: mayAllocate,
    parameters: { "lock-token": token, force: boolean({ optional: true, default: 0 }) },
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
    method: "POST",
    path: "/cluster/sdn/rollback",
    protected: true,
    permissions: mayAllocate,
    parameters: { "lock-token": token, "release-lock": release },
    handler: async (call) => {
      const { world, params } = call;
      await changeSdn(call, "could not rollback SDN configuration", params["lock-token"], () => {
        Object.assign(world.sdn, structuredClone(world.sdn.running));
        if (params["lock-token"] && params["release-lock"] !== 0) {
          delete world.sdn.lockToken;
        }
      });
      return null;
    },
  }),
  ...zoneEndpoints,
  ...vnetEndpoints,
];
