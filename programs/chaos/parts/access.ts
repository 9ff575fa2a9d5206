import type { Simulator, World } from "#simulator";
import type { Dice } from "../dice.ts";
import type { Actor, Meddling, Part } from "../part.ts";
import { refer } from "../references.ts";
import type { Config } from "../script.ts";
import { AccessWatch, noteForeignAccess } from "./access-watch.ts";
import { finishedObject, nameFor } from "./finished-object.ts";

type Access = World["access"];

/** A guest that is not managed and goes from pool to pool. */
const pooled = 701;

/** Users, groups, roles, tokens, pools and what is granted to them: lists that others edit as well. */
export const access: Part = {
  name: "access",
  crowd: (seed) => ({
    ...seed,
    users: [
      ...(seed["users"] as object[]),
      { userid: "eve@pve", groups: ["theirs"], comment: "keep out", password: "eves own" },
    ],
    tokens: [
      ...(seed["tokens"] as object[]),
      { tokenid: "eve@pve!ci", secret: "00000000-0000-4000-8000-00000000000e", privsep: 1 },
    ],
    groups: [{ groupid: "theirs", comment: "keep out" }],
    roles: { ...(seed["roles"] as object), Watcher: ["VM.Audit"] },
    acl: [
      ...seed.acl,
      { path: "/vms", type: "group", ugid: "theirs", roleid: "Watcher" },
      { path: "/nodes/pve2", type: "token", ugid: "eve@pve!ci", roleid: "PVEAuditor" },
    ],
    pools: [...(seed.pools ?? []), { poolid: "theirs", comment: "keep out", storage: ["local"], vms: [702] }],
    guests: [
      ...seed.guests,
      ...[pooled, 702].map((vmid) => ({ vmid, node: "pve2", config: { name: `pooled-${vmid}` } })),
    ],
  }),
  cast(dice): Actor[] {
    const groups = ["devs", "ops"].map((id) => actor("group", id, () => ({ id, ...comment(dice) })));
    const role = actor("role", "operator", () => ({ id: "operator", privileges: some(dice, privileges) }));
    const names = ["ann", "bob"].slice(0, dice.int(1, 2));
    const users = names.map((name) => userActor(dice, name, groups));
    const token = actor("token", "ann-ci", () => ({
      user: refer("proxmox_user.ann", "id"),
      name: "ci",
      ...comment(dice),
      ...(dice.chance(0.5) && { privilege_separation: dice.chance(0.5) }),
      ...(dice.chance(0.2) && { expire: "2040-01-01T00:00:00Z" }),
    }));
    const pools = poolActors(dice);
    const member = actor("pool_member", `guest-${pooled}`, () => ({
      pool: refer(dice.pick(pools).address, "id"),
      vmid: pooled,
      allow_move: true,
    }));
    const subjects = [
      ...groups.map(({ address }) => ({ group: refer(address, "id") })),
      ...users.map(({ address }) => ({ user: refer(address, "id") })),
      { token: refer(token.address, "id") },
    ];
    const entries = paths.map((path) =>
      actor("acl", nameFor(path.slice(1)), () => ({
        path,
        role: dice.chance(0.6) ? refer(role.address, "id") : dice.pick(["PVEVMUser", "PVEAuditor"]),
        ...dice.pick(subjects),
        ...(dice.chance(0.4) && { propagate: dice.chance(0.5) }),
      })),
    );
    return [...groups, role, ...users, token, ...pools, member, ...entries];
  },
  targets: {
    tasks: [],
    writes: [
      "POST /access/users",
      "PUT /access/users/{userid}",
      "DELETE /access/users/{userid}",
      "POST /access/groups",
      "POST /access/roles",
      "PUT /access/roles/{roleid}",
      "POST /access/users/{userid}/token/{tokenid}",
      "PUT /access/acl",
      "PUT /access/acl",
      "POST /pools",
      "PUT /pools",
      "DELETE /pools",
    ],
    privileges: ["User.Modify", "Permissions.Modify", "Sys.Audit", "Pool.Allocate", "Pool.Audit", "Sys.Modify"],
  },
  watch: (chronicle) => new AccessWatch(chronicle),
  possessions: ({ access: now }) => [
    ["user eve", JSON.stringify(now.users["eve@pve"])],
    ["group theirs", JSON.stringify(now.groups["theirs"])],
    ["role Watcher", JSON.stringify(now.roles["Watcher"])],
    ["pool theirs", JSON.stringify(now.pools["theirs"])],
    ["grants of others", JSON.stringify(now.acl.filter(({ ugid }) => /^(eve@pve|theirs|terraform@pve)/.test(ugid)))],
  ],
  finished: finishedObject(addressOf),
  // Of a pool that was imported, the provider does not know who has put the storages into it.
  obey(message, { access: { pools } }) {
    const isAsked = /Pool "prod" is not empty: It contains storage/.test(message) && pools["prod"] !== undefined;
    if (isAsked && pools["prod"]) pools["prod"].storage = [];
    return isAsked;
  },
  meddlings: {
    "a user joins a group": edit(({ users }) => {
      const { groups = [] } = users["ann@pve"] ?? {};
      if (!groups.includes("theirs")) groups.push("theirs");
    }),
    "a user leaves its groups": edit(({ users }) => {
      if (users["ann@pve"]) users["ann@pve"].groups = [];
    }),
    "a role is changed": edit(({ roles: { operator } }) => {
      if (operator && !operator.includes("VM.Console")) operator.push("VM.Console");
    }),
    "a grant is removed": edit((now) => {
      now.acl = now.acl.filter(({ path }) => path !== "/vms/701");
    }),
    "a user is removed": edit((now) => {
      delete now.users["bob@pve"];
      now.acl = now.acl.filter(({ ugid }) => ugid !== "bob@pve");
    }),
    "a guest leaves its pool": edit(({ pools }) => {
      for (const pool of Object.values(pools)) pool.vms = pool.vms.filter((vmid) => vmid !== pooled);
    }),
  },
};

/** One entry on each: an entry is known by its path then. */
const paths = ["/vms/701", "/storage/nas", "/nodes/pve3", "/pool/crew"];

const privileges = ["VM.Audit", "VM.PowerMgmt", "VM.Console", "VM.Snapshot", "Datastore.Audit", "Pool.Audit"];

function addressOf(type: string, id: string): string | undefined {
  const [, kind] = /^proxmox_(group|role|user|token|pool|pool_member|acl)$/.exec(type) ?? [];
  if (kind === "acl") return `${type}.${nameFor(id.replace(/:.*/, "").slice(1))}`;
  if (kind === "pool_member") return `${type}.guest-${pooled}`;
  return kind && `${type}.${nameFor(id.replace("@pve", ""))}`;
}

const actor = (type: string, name: string, wish: () => Config): Actor => ({
  address: `proxmox_${type}.${name}`,
  wishes: [0, 1, 2].map(() => wish()),
});

const comment = (dice: Dice) => (dice.chance(0.5) ? { comment: dice.pick(["first", "second one"]) } : {});

const some = (dice: Dice, list: readonly string[]): string[] => list.filter(() => dice.chance(0.5));

function userActor(dice: Dice, name: string, groups: readonly Actor[]): Actor {
  const secret = `s3cret-of-${name}`;
  const wish = () => ({
    id: `${name}@pve`,
    password: secret,
    groups: groups.filter(() => dice.chance(0.5)).map(({ address }) => refer(address, "id")),
    ...(dice.chance(0.3) && { email: `${name}@example.com` }),
    ...(dice.chance(0.3) && { enabled: dice.chance(0.5) }),
    ...comment(dice),
  });
  return { ...actor("user", name, wish), secret };
}

/** One in another, which its comment refers to: Terraform creates the outer one first. */
function poolActors(dice: Dice): Actor[] {
  const outer = actor("pool", "prod", () => ({
    id: "prod",
    storages: some(dice, ["nas", "ceph", "local-lvm"]),
    ...comment(dice),
  }));
  const inner = actor("pool", "prod-web", () => ({ id: "prod/web", comment: refer(outer.address, "id") }));
  return [outer, inner];
}

/** Another client edits the file: the next apply has to take it back. */
function edit(change: (now: Access) => void): Meddling {
  return ({ sim: { world } }: Simulator, chronicle) => {
    change(world.access);
    noteForeignAccess(chronicle);
    return () => undefined;
  };
}
