import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { defaultSeed } from "#simulator";
import { LookupBench } from "./lookup-bench.ts";

const base = defaultSeed() as Record<"users" | "tokens" | "acl", object[]> & { roles: object };

/** A caller without any privilege is refused; this one has a privilege that shows nothing. */
const few = [
  { path: "/pool/none", type: "user", ugid: "few@pve", roleid: "PVEPoolUser" },
  { path: "/pool/none", type: "token", ugid: "few@pve!tf", roleid: "PVEPoolUser" },
];

const seed = {
  ...base,
  groups: [{ groupid: "staff", comment: "on call" }, { groupid: "guests" }],
  users: [
    ...base.users,
    { userid: "ann@pve", groups: ["staff", "guests"], firstname: "Ann", email: "ann@example.com", expire: 1893456000 },
    { userid: "ben@pve", groups: ["staff"], enable: 0, comment: "left" },
    { userid: "few@pve" },
  ],
  realms: [
    {
      realm: "corp",
      type: "ldap",
      server1: "192.0.2.20",
      base_dn: "dc=example,dc=com",
      user_attr: "uid",
      comment: "directory",
      default: 1,
      tfa: "type=oath",
    },
  ],
  acl: [...base.acl, { path: "/pool/prod", type: "group", ugid: "staff", roleid: "PVEVMUser", propagate: 0 }, ...few],
  tokens: [
    ...base.tokens,
    { tokenid: "few@pve!tf", secret: "00000000-0000-4000-8000-000000000004", privsep: 0 },
    { tokenid: "ann@pve!ci", secret: "00000000-0000-4000-8000-000000000005", privsep: 1, comment: "pipeline" },
  ],
};

/** What every process asks first. */
const inventory = { "GET /cluster/resources": 1 };

let bench: LookupBench;

beforeAll(async () => {
  bench = await LookupBench.open({ seed });
});
afterAll(() => bench.close());

const look = async (type: string, config = {}) => (await bench.lookUp(type, config)).found;

describe("proxmox_groups", () => {
  test("lists groups with their members", async () => {
    expect(await look("proxmox_groups")).toEqual({
      id: null,
      member: null,
      ids: ["guests", "staff"],
      groups: [
        { id: "guests", comment: null, members: ["ann@pve"] },
        { id: "staff", comment: "on call", members: ["ann@pve", "ben@pve"] },
      ],
    });
  });

  test.each([
    [{ id: "st*" }, ["staff"]],
    [{ member: "ben@pve" }, ["staff"]],
    [{ member: "ann@*" }, ["guests", "staff"]],
    [{ id: "none" }, []],
  ])("%o finds %o", async (config, ids) => {
    expect((await look("proxmox_groups", config))["ids"]).toEqual(ids);
  });
});

describe("proxmox_users", () => {
  test("lists users with their groups", async () => {
    const { users } = (await look("proxmox_users", { id: "*n@pve", group: "staff" })) as { users: object[] };
    const nothing = { comment: null, email: null, first_name: null, last_name: null, expire: null };
    expect(users).toEqual([
      {
        ...nothing,
        id: "ann@pve",
        enabled: true,
        expire: "2030-01-01T00:00:00Z",
        email: "ann@example.com",
        first_name: "Ann",
        groups: ["guests", "staff"],
        realm_type: "pve",
      },
      { ...nothing, id: "ben@pve", enabled: false, comment: "left", groups: ["staff"], realm_type: "pve" },
    ]);
  });

  test("distinguishes disabled users from enabled ones", async () => {
    expect((await look("proxmox_users", { enabled: false }))["ids"]).toEqual(["ben@pve"]);
    expect((await look("proxmox_users", { enabled: true }))["ids"]).not.toContain("ben@pve");
  });
});

describe("proxmox_roles", () => {
  test("lists roles with their privileges", async () => {
    const { ids, roles } = (await look("proxmox_roles", { id: "PVEPoolUser" })) as { ids: string[]; roles: object[] };
    expect(ids).toEqual(["PVEPoolUser"]);
    expect(roles).toEqual([{ id: "PVEPoolUser", privileges: ["Pool.Audit"], built_in: true }]);
    expect((await look("proxmox_roles", { id: "NoAccess" }))["roles"]).toMatchObject([{ privileges: [] }]);
  });

  test("finds roles by a privilege, and those of the cluster's own", async () => {
    expect((await look("proxmox_roles", { privilege: "VM.Console" }))["ids"]).toContain("PVEVMUser");
    expect((await look("proxmox_roles", { built_in: false }))["ids"]).not.toContain("PVEVMUser");
  });
});

describe("proxmox_realms", () => {
  test("lists realms of all types, or of one", async () => {
    expect(await look("proxmox_realms", { type: "ldap" })).toMatchObject({
      ids: ["corp"],
      realms: [{ id: "corp", type: "ldap", comment: "directory", default: true, tfa: "oath" }],
    });
    expect((await look("proxmox_realms"))["ids"]).toEqual(["corp", "pam", "pve"]);
    expect((await look("proxmox_realms", { id: "pam" }))["realms"]).toMatchObject([{ default: false, tfa: null }]);
  });
});

describe("proxmox_acls", () => {
  test("lists entries by path, role and subject, with the ID of their import", async () => {
    const found = await look("proxmox_acls", { path: "/pool/*", subject: "staff" });
    expect(found["acls"]).toEqual([
      {
        id: "/pool/prod:PVEVMUser:group:staff",
        path: "/pool/prod",
        role: "PVEVMUser",
        type: "group",
        subject: "staff",
        propagate: false,
      },
    ]);
    expect((await look("proxmox_acls", { type: "group" }))["ids"]).toEqual(["/pool/prod:PVEVMUser:group:staff"]);
  });
});

describe("proxmox_tokens", () => {
  test("lists tokens of all users without their secrets", async () => {
    const found = await look("proxmox_tokens", { user: "ann@pve" });
    expect(found["tokens"]).toEqual([
      { id: "ann@pve!ci", user: "ann@pve", name: "ci", privilege_separation: true, expire: null, comment: "pipeline" },
    ]);
    expect((await look("proxmox_tokens", { id: "*!tf" }))["ids"]).toContain("few@pve!tf");
    expect(JSON.stringify(await look("proxmox_tokens"))).not.toContain("00000000-0000-4000");
  });
});

test.each([
  ["proxmox_roles", { "GET /access/roles": 1 }],
  ["proxmox_realms", { "GET /access/domains": 1 }],
  ["proxmox_acls", { "GET /access/acl": 1 }],
  ["proxmox_tokens", { "GET /access/users": 1 }],
  ["proxmox_groups", { "GET /access/groups": 1 }],
  ["proxmox_users", { "GET /access/users": 1 }],
])("%s takes one call", async (type, calls) => {
  expect(await bench.calls(type)).toEqual({ ...inventory, ...calls });
});

describe("a caller with few privileges", () => {
  beforeAll(() => bench.restart("few@pve!tf"));
  afterAll(() => bench.restart());

  test("sees what Proxmox VE shows it", async () => {
    expect((await look("proxmox_groups"))["ids"]).toEqual([]);
    expect((await look("proxmox_users"))["ids"]).toEqual([]);
  });
});
