import { endpoint } from "../core/kernel/endpoint.ts";
import { indexEndpoint } from "../core/kernel/index-endpoint.ts";
import { boolean, string } from "../core/schema/schema.ts";
import { node } from "../core/schema/standard-options.ts";
import type { World } from "../core/world/world.ts";
import { cephDaemonEndpoints } from "./daemons.ts";
import { requireCeph } from "./installation.ts";
import { cephPoolEndpoints } from "./pools.ts";

const mayRead = { check: ["perm", "/", ["Sys.Audit", "Datastore.Audit"], { any: true }] } as const;
const mayAudit = { check: ["perm", "/", ["Sys.Audit"]] } as const;
const mayWrite = { check: ["perm", "/", ["Sys.Modify"]] } as const;

const flagNames = [
  ...(["nobackfill", "nodeep-scrub", "nodown", "noin", "noout", "norebalance", "norecover"] as const),
  ...(["noscrub", "notieragent", "noup", "pause"] as const),
];
const flag = string({ enum: flagNames });

function status({ world }: { world: World }) {
  const { fsid, flags } = requireCeph(world);
  return {
    fsid,
    health: { status: flags.length === 0 ? "HEALTH_OK" : "HEALTH_WARN", checks: {}, mutes: [] },
    quorum_names: Object.keys(world.nodes),
  };
}

function setFlag(world: World, name: string, isSet: boolean): void {
  const ceph = requireCeph(world);
  ceph.flags = [...ceph.flags.filter((other) => other !== name), ...(isSet ? [name] : [])];
}

/** pve-manager `PVE/API2/Cluster/Ceph.pm`, `PVE/API2/Ceph.pm`. */
export const cephEndpoints = [
  indexEndpoint("/cluster/ceph", "name", ["flags", "metadata", "restart-bulk", "status"]),
  endpoint({
    method: "GET",
    path: "/cluster/ceph/status",
    protected: true,
    permissions: mayRead,
    parameters: {},
    handler: status,
  }),
  endpoint({
    method: "GET",
    path: "/cluster/ceph/metadata",
    protected: true,
    permissions: mayRead,
    parameters: { scope: string({ optional: true, enum: ["all", "versions"] }) },
    handler: ({ world }) => {
      requireCeph(world);
      return { mon: {}, mgr: {}, mds: {}, osd: [], node: {} };
    },
  }),
  endpoint({
    method: "GET",
    path: "/cluster/ceph/flags",
    protected: true,
    permissions: mayAudit,
    parameters: {},
    handler: ({ world }) => {
      const { flags } = requireCeph(world);
      return flagNames.map((name) => ({ name, value: flags.includes(name) ? 1 : 0 }));
    },
  }),
  endpoint({
    method: "PUT",
    path: "/cluster/ceph/flags",
    protected: true,
    permissions: mayWrite,
    parameters: Object.fromEntries(flagNames.map((name) => [name, boolean({ optional: true })])),
    handler: (call) => {
      const { world, params } = call;
      requireCeph(world);
      return call.worker("cephsetflags", "", () => {
        for (const [name, value] of Object.entries(params)) {
          setFlag(world, name, value === 1);
        }
      });
    },
  }),
  endpoint({
    method: "GET",
    path: "/cluster/ceph/flags/{flag}",
    protected: true,
    permissions: mayAudit,
    parameters: { flag },
    handler: ({ world, params }) => (requireCeph(world).flags.includes(params.flag) ? 1 : 0),
  }),
  endpoint({
    method: "PUT",
    path: "/cluster/ceph/flags/{flag}",
    protected: true,
    permissions: mayWrite,
    parameters: { flag, value: boolean() },
    handler: ({ world, params }) => {
      setFlag(world, params.flag, params.value === 1);
      return null;
    },
  }),
  indexEndpoint(
    "/nodes/{node}/ceph",
    "name",
    [
      ...["cmd-safety", "cfg", "crush", "fs", "init", "log", "mds", "mgr", "mon", "osd", "pool", "releases"],
      ...["restart", "restart-bulk", "rules", "start", "status", "stop"],
    ],
    { permissions: mayRead },
  ),
  indexEndpoint("/nodes/{node}/ceph/cfg", "name", ["raw", "db", "value"]),
  endpoint({
    method: "GET",
    path: "/nodes/{node}/ceph/status",
    protected: true,
    proxyTo: "node",
    permissions: mayRead,
    parameters: { node },
    handler: status,
  }),
  ...cephPoolEndpoints,
  ...cephDaemonEndpoints,
];
