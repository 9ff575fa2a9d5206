import { privilegesToModify } from "../core/access/check-permissions.ts";
import { changeUserConfig } from "../core/access/user-config.ts";
import { type Call, endpoint } from "../core/kernel/endpoint.ts";
import { die } from "../core/kernel/failure.ts";
import type { Process } from "../core/kernel/process.ts";
import { guestResource } from "../core/kernel/resource-entries.ts";
import { splitList } from "../core/schema/format.ts";
import { storageIdListFormat, vmidListFormat } from "../core/schema/formats.ts";
import { boolean, string } from "../core/schema/schema.ts";
import type { Pool } from "../core/world/access.ts";
import type { World } from "../core/world/world.ts";
import { isOnNode } from "../storage/storages.ts";
import { storageResource } from "../storage/usage.ts";
import { poolIdFormat } from "./pool-id.ts";

const poolid = string({ format: poolIdFormat });
const memberType = { optional: true, enum: ["qemu", "lxc", "storage"] } as const;

function getPool(world: World, id: string): Pool {
  return world.access.pools[id] ?? die(`pool '${id}' does not exist`);
}

/** Pools are part of user.cfg and changed under its lock; an error starts with the name of the operation. */
async function changePools(process: Process, action: string, body: () => void): Promise<null> {
  await changeUserConfig(process, `${action} failed`, body);
  return null;
}

/** A pool with its members as `/cluster/resources` shows them. */
function describePool({ sim, world }: Pick<Call, "sim" | "world">, id: string, type: string | undefined) {
  const pool = getPool(world, id);
  const guests = [...pool.vms].sort(byText).flatMap((vmid) => {
    const guest = world.guests[vmid];
    return guest === undefined || (type !== undefined && type !== guest.type) ? [] : [guestResource(sim, guest)];
  });
  const storages = type === undefined || type === "storage" ? [...pool.storage].sort(byText) : [];
  const { local } = world.cluster;
  const storageMembers = storages.flatMap((name) => {
    const storage = world.storages[name];
    if (storage === undefined) {
      return [];
    }
    const [first = local] = splitList(storage.options["nodes"] ?? "").sort();
    return [storageResource(sim, storage, isOnNode(storage, local) ? local : first)];
  });
  return { poolid: id, ...(pool.comment && { comment: pool.comment }), members: [...guests, ...storageMembers] };
}

const byText = (a: string | number, b: string | number) => (String(a) < String(b) ? -1 : 1);

const changeParameters = {
  poolid,
  comment: string({ optional: true }),
  vms: string({ optional: true, format: vmidListFormat }),
  storage: string({ optional: true, format: storageIdListFormat }),
  "allow-move": boolean({ optional: true, default: 0 }),
  delete: boolean({ optional: true, default: 0 }),
};

interface Change {
  readonly poolid: string;
  readonly comment?: string | undefined;
  readonly vms?: string | undefined;
  readonly storage?: string | undefined;
  readonly "allow-move"?: 0 | 1 | undefined;
  readonly delete?: 0 | 1 | undefined;
}

/** Moving an object into or out of a pool requires the privilege to change permissions on it (`check_perm_modify`). */
function checkModify({ caller }: Process, path: string): void {
  caller.checkAny(path, privilegesToModify(path));
}

function changeGuest(process: Process, vmid: number, change: Change): void {
  const { world } = process.sim;
  const pool = getPool(world, change.poolid);
  checkModify(process, `/vms/${vmid}`);
  if (change.delete === 1) {
    if (!pool.vms.includes(vmid)) {
      die(`VM ${vmid} is not a pool member`);
    }
    pool.vms = pool.vms.filter((member) => member !== vmid);
    return;
  }
  if (pool.vms.includes(vmid)) {
    die(`VM ${vmid} is already a pool member`);
  }
  const [other, previous] = Object.entries(world.access.pools).find(([, { vms }]) => vms.includes(vmid)) ?? [];
  if (previous !== undefined) {
    if (change["allow-move"] !== 1) {
      die(`VM ${vmid} belongs already to pool '${other}' and 'allow-move' is not set`);
    }
    process.caller.check(`/pool/${other}`, ["Pool.Allocate"]);
    previous.vms = previous.vms.filter((member) => member !== vmid);
  }
  pool.vms = [...pool.vms, vmid];
}

function changeStorage(process: Process, name: string, change: Change): void {
  const pool = getPool(process.sim.world, change.poolid);
  checkModify(process, `/storage/${name}`);
  const isMember = pool.storage.includes(name);
  if (change.delete === 1) {
    pool.storage = isMember
      ? pool.storage.filter((member) => member !== name)
      : die(`Storage '${name}' is not a pool member`);
  } else {
    pool.storage = isMember ? die(`Storage '${name}' is already a pool member`) : [...pool.storage, name];
  }
}

/** All or nothing: user.cfg is written after all checks. */
function updatePool(call: Call<Change>): Promise<null> {
  const { params, world } = call;
  return changePools(call, "update pools", () => {
    const pool = getPool(world, params.poolid);
    if (params.comment !== undefined) {
      pool.comment = params.comment;
    }
    for (const vmid of splitList(params.vms ?? "")) {
      changeGuest(call, Number(vmid), params);
    }
    for (const name of splitList(params.storage ?? "")) {
      changeStorage(call, name, params);
    }
  });
}

function createPool(world: World, id: string, comment: string | undefined): void {
  const { pools } = world.access;
  if (pools[id] !== undefined) {
    die(`pool '${id}' already exists`);
  }
  const [, parent, leaf = id] = /^(.*)\/([^/]+)$/.exec(id) ?? [];
  if (parent !== undefined && pools[parent] === undefined) {
    die(`parent '${parent}' of pool '${id}' does not exist`);
  }
  if (!/^[A-Za-z]/.test(leaf)) {
    die("pool name must start with a letter");
  }
  pools[id] = { vms: [], storage: [], ...(comment && { comment }) };
}

function deletePool(call: Call<{ poolid: string }>): Promise<null> {
  const { world, params } = call;
  const id = params.poolid;
  return changePools(call, "delete pool", () => {
    const pool = getPool(world, id);
    const refuse = (what: string) => die(`pool '${id}' is not empty (contains ${what})`);
    const [child] = Object.keys(world.access.pools)
      .filter((other) => other.startsWith(`${id}/`) && !other.slice(id.length + 1).includes("/"))
      .sort();
    if (child !== undefined) {
      refuse(`pool '${child}'`);
    }
    const vmid = [...pool.vms].sort(byText).find((member) => world.guests[member] !== undefined);
    if (vmid !== undefined) {
      refuse(`VM ${vmid}`);
    }
    const storage = [...pool.storage].sort(byText).find((member) => world.storages[member] !== undefined);
    if (storage !== undefined) {
      refuse(`storage '${storage}'`);
    }
    delete world.access.pools[id];
    world.access.acl = world.access.acl.filter(({ path }) => path !== `/pool/${id}`);
  });
}

const mayAllocate = { check: ["perm", "/pool/{poolid}", ["Pool.Allocate"]] } as const;

/** pve-manager `PVE/API2/Pool.pm`. The forms with the pool in the path are older and do not support nested pools. */
export const poolEndpoints = [
  endpoint({
    method: "GET",
    path: "/pools",
    permissions: { user: "all" },
    parameters: {
      poolid: string({ optional: true, format: poolIdFormat }),
      type: string({ ...memberType, requires: "poolid" }),
    },
    handler: (call) => {
      const { params, world, caller } = call;
      // All users can read a single pool: PVE computes the check and ignores its result.
      if (params.poolid) {
        return [describePool(call, params.poolid, params.type)];
      }
      return Object.entries(world.access.pools)
        .filter(([id]) => caller.has(`/pool/${id}`, ["Pool.Audit"]))
        .sort(([a], [b]) => byText(a, b))
        .map(([id, { comment }]) => ({ poolid: id, ...(comment && { comment }) }));
    },
  }),
  endpoint({
    method: "POST",
    path: "/pools",
    protected: true,
    permissions: mayAllocate,
    parameters: { poolid, comment: string({ optional: true }) },
    handler: (call) =>
      changePools(call, "create pool", () => createPool(call.world, call.params.poolid, call.params.comment)),
  }),
  endpoint({
    method: "GET",
    path: "/pools/{poolid}",
    permissions: { check: ["perm", "/pool/{poolid}", ["Pool.Audit"]] },
    parameters: { poolid, type: string(memberType) },
    handler: (call) => describePool(call, call.params.poolid, call.params.type),
  }),
  ...["/pools", "/pools/{poolid}"].flatMap((path) => [
    endpoint({
      method: "PUT",
      path,
      protected: true,
      permissions: mayAllocate,
      parameters: changeParameters,
      handler: updatePool,
    }),
    endpoint({
      method: "DELETE",
      path,
      protected: true,
      permissions: mayAllocate,
      parameters: { poolid },
      handler: deletePool,
    }),
  ]),
];
