import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { defaultSeed } from "#simulator";
import { LookupBench } from "./lookup-bench.ts";

const base = defaultSeed() as Record<"users" | "tokens" | "acl", object[]> & { roles: object };

const seed = {
  ...base,
  groups: [{ groupid: "staff", comment: "on call" }, { groupid: "guests" }],
  users: [
    ...base.users,
    { userid: "ann@pve", groups: ["staff", "guests"], firstname: "Ann", email: "ann@example.com", expire: 1893456000 },
    { userid: "ben@pve", groups: ["staff"], enable: 0, comment: "left" },
    { userid: "few@pve" },
  ],
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

  test("tells disabled users from enabled ones", async () => {
    expect((await look("proxmox_users", { enabled: false }))["ids"]).toEqual(["ben@pve"]);
    expect((await look("proxmox_users", { enabled: true }))["ids"]).not.toContain("ben@pve");
  });
});

test.each([
  ["proxmox_groups", { "GET /access/groups": 1 }],
  ["proxmox_users", { "GET /access/users": 1 }],
])("%s takes one call", async (type, calls) => {
  expect(await bench.calls(type)).toEqual({ ...inventory, ...calls });
});

describe("a caller without privileges", () => {
  beforeAll(() => bench.restart("few@pve!tf"));
  afterAll(() => bench.restart());

  test("sees what Proxmox VE shows it", async () => {
    expect((await look("proxmox_groups"))["ids"]).toEqual([]);
    expect((await look("proxmox_users"))["ids"]).toEqual([]);
  });
});
