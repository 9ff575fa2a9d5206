import { Acl, pathLevels } from "../../core/access/acl.ts";
import { realmPattern, splitTokenId, userPattern } from "../../core/access/identity.ts";
import { endpoint } from "../../core/kernel/endpoint.ts";
import { string } from "../../core/schema/schema.ts";
import type { Access } from "../../core/world/access.ts";

// `permissions` of pve-access-control `src/PVE/API2/AccessControl.pm`, `get_effective_permissions` of RPCEnvironment.pm.

const alwaysListed = ["/", "/access", "/access/groups", "/nodes", "/pool", "/sdn", "/storage", "/vms"];

/** All levels of the paths in the ACL tree, and the members of pools. */
function pathsOf(access: Access): Set<string> {
  return new Set([
    ...alwaysListed,
    ...access.acl.flatMap((entry) => pathLevels(entry.path)),
    ...Object.values(access.pools).flatMap((pool) => [
      ...pool.vms.map((vmid) => `/vms/${vmid}`),
      ...pool.storage.map((storage) => `/storage/${storage}`),
    ]),
  ]);
}

export const permissionEndpoints = [
  endpoint({
    method: "GET",
    path: "/access/permissions",
    permissions: { user: "all" },
    parameters: {
      userid: string({ optional: true, pattern: `^${userPattern}@${realmPattern}(?:!${realmPattern})?$` }),
      path: string({ optional: true }),
    },
    handler: ({ world: { access }, sim, caller, params }) => {
      const userid = params.userid ?? caller.id;
      const isOwn = userid === caller.id || splitTokenId(userid)?.user === caller.id;
      if (!isOwn) {
        caller.check("/access", ["Sys.Audit"]);
      }
      const acl = new Acl(access, sim.faults.revoked);
      const on = (path: string) =>
        Object.fromEntries([...acl.privileges(userid, path)].map(([name, propagate]) => [name, propagate ? 1 : 0]));
      if (params.path) {
        return { [params.path]: on(params.path) };
      }
      const all = [...pathsOf(access)].map((path) => [path, on(path)] as const);
      return Object.fromEntries(all.filter(([, granted]) => Object.keys(granted).length > 0));
    },
  }),
];
