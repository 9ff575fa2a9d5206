import { type Call, endpoint } from "../core/kernel/endpoint.ts";
import { die } from "../core/kernel/failure.ts";
import { indexEndpoint } from "../core/kernel/index-endpoint.ts";
import { propertyFormat } from "../core/schema/property-string.ts";
import { boolean, integer, number, string } from "../core/schema/schema.ts";
import { node } from "../core/schema/standard-options.ts";
import type { Ceph, CephPool } from "../core/world/ceph.ts";
import { requireCeph } from "./installation.ts";

const mayRead = { check: ["perm", "/", ["Sys.Audit", "Datastore.Audit"], { any: true }] } as const;
const mayWrite = { check: ["perm", "/", ["Sys.Modify"]] } as const;
const name = string({ pattern: "[^:/\\s]+" });

const options = {
  application: string({ optional: true, enum: ["rbd", "cephfs", "rgw"] }),
  crush_rule: string({ optional: true }),
  min_size: integer({ optional: true, minimum: 1, maximum: 7 }),
  pg_autoscale_mode: string({ optional: true, enum: ["on", "off", "warn"] }),
  pg_num: integer({ optional: true, minimum: 1, maximum: 32_768 }),
  pg_num_min: integer({ optional: true, maximum: 32_768 }),
  size: integer({ optional: true, minimum: 1, maximum: 7 }),
  target_size: string({ optional: true, pattern: "^(\\d+(\\.\\d+)?)([KMGT])?$" }),
  target_size_ratio: number({ optional: true }),
};

const erasureCoding = propertyFormat({
  "device-class": string({ optional: true }),
  "failure-domain": string({ optional: true }),
  k: integer({ minimum: 2 }),
  m: integer({ minimum: 1 }),
  profile: string({ optional: true }),
});

/** The options of a pool in a request. Ceph keeps the target size in bytes. */
function given(params: Record<string, unknown>): Partial<CephPool> {
  const set = Object.entries(params).filter(([option, value]) => option in options && value !== undefined);
  const size = params["target_size"];
  return { ...Object.fromEntries(set), ...(typeof size === "string" && { target_size: bytesIn(size) }) };
}

function bytesIn(size: string): number {
  const [, amount = "0", unit = ""] = /^([\d.]+)([KMGT]?)$/.exec(size) ?? [];
  return Math.round(Number(amount) * 1024 ** " KMGT".indexOf(unit || " "));
}

/** The monitors refuse it when the pool is there (pve-manager: PVE/Ceph/Tools.pm, `set_pool`). */
function requireRule({ rules }: Ceph, { crush_rule: rule }: { crush_rule?: string | undefined }): void {
  if (rule !== undefined && !rules.includes(rule)) die("Could not set: crush_rule");
}

function create(call: Call<{ name: string; crush_rule?: string | undefined }>): string {
  const { world, params } = call;
  const ceph = requireCeph(world);
  if (ceph.pools[params.name] !== undefined) {
    die(`pool '${params.name}' already exists`);
  }
  return call.worker("cephcreatepool", params.name, (task) => {
    const id = Math.max(0, ...Object.values(ceph.pools).map((pool) => pool.id)) + 1;
    const usual = { size: 3, min_size: 2, pg_num: 128, pg_autoscale_mode: "warn", crush_rule: "replicated_rule" };
    requireRule(ceph, params);
    ceph.pools[params.name] = { id, ...usual, application: "rbd", ...given(params) };
    task.print(`pool ${params.name}: applying application = rbd`);
  });
}

function update(call: Call<{ name: string; crush_rule?: string | undefined }>): string {
  const { world, params } = call;
  const ceph = requireCeph(world);
  return call.worker("cephsetpool", params.name, () => {
    const pool = ceph.pools[params.name] ?? die(`pool '${params.name}' does not exist`);
    requireRule(ceph, params);
    ceph.pools[params.name] = { ...pool, ...given(params) };
  });
}

function remove(call: Call<{ name: string; remove_storages?: 0 | 1 | undefined }>): string {
  const { world, params } = call;
  const ceph = requireCeph(world);
  const users = Object.entries(world.storages).filter(
    ([, { type, options: set }]) => type === "rbd" && set["pool"] === params.name && set["monhost"] === undefined,
  );
  if (users.length > 0 && params.remove_storages !== 1) {
    die(`pool '${params.name}' is in use by storage '${users[0]?.[0]}'`);
  }
  return call.worker("cephdestroypool", params.name, () => {
    delete ceph.pools[params.name];
    for (const [storage] of users) {
      delete world.storages[storage];
    }
  });
}

const shown = (poolName: string, { id, crush_rule, application, ...pool }: CephPool) => ({
  pool: id,
  pool_name: poolName,
  type: "replicated",
  crush_rule: 0,
  crush_rule_name: crush_rule,
  application_metadata: { [application]: {} },
  bytes_used: 0,
  percent_used: 0,
  ...pool,
});

/** pve-manager `PVE/API2/Ceph/Pool.pm`; the rules are in `PVE/API2/Ceph.pm`. */
export const cephPoolEndpoints = [
  endpoint({
    method: "GET",
    path: "/nodes/{node}/ceph/rules",
    protected: true,
    proxyTo: "node",
    permissions: mayRead,
    parameters: { node },
    handler: ({ world }) => requireCeph(world).rules.map((rule) => ({ name: rule })),
  }),
  endpoint({
    method: "GET",
    path: "/nodes/{node}/ceph/pool",
    protected: true,
    proxyTo: "node",
    permissions: mayRead,
    parameters: { node },
    handler: ({ world }) => Object.entries(requireCeph(world).pools).map(([pool, set]) => shown(pool, set)),
  }),
  endpoint({
    method: "POST",
    path: "/nodes/{node}/ceph/pool",
    protected: true,
    proxyTo: "node",
    permissions: mayWrite,
    parameters: {
      ...options,
      node,
      name,
      add_storages: boolean({ optional: true }),
      "erasure-coding": string({ optional: true, format: erasureCoding }),
    },
    handler: create,
  }),
  indexEndpoint("/nodes/{node}/ceph/pool/{name}", "name", ["status"], {
    permissions: mayRead,
    parameters: { node, name: string() },
  }),
  endpoint({
    method: "PUT",
    path: "/nodes/{node}/ceph/pool/{name}",
    protected: true,
    proxyTo: "node",
    permissions: mayWrite,
    parameters: { ...options, node, name },
    handler: update,
  }),
  endpoint({
    method: "DELETE",
    path: "/nodes/{node}/ceph/pool/{name}",
    protected: true,
    proxyTo: "node",
    permissions: mayWrite,
    parameters: {
      node,
      name: string(),
      force: boolean({ optional: true }),
      remove_ecprofile: boolean({ optional: true }),
      remove_storages: boolean({ optional: true }),
    },
    handler: remove,
  }),
  endpoint({
    method: "GET",
    path: "/nodes/{node}/ceph/pool/{name}/status",
    protected: true,
    proxyTo: "node",
    permissions: mayRead,
    parameters: { node, name: string(), verbose: boolean({ optional: true }) },
    handler: ({ world, params }) => {
      const pool = requireCeph(world).pools[params.name] ?? die(`pool '${params.name}' does not exist`);
      const { id, application, ...set } = pool;
      return { id, name: params.name, application, application_list: [application], ...set };
    },
  }),
];
