import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type Simulator, startSimulator } from "../../../src/simulator/simulator.ts";
import { type CallOptions, call } from "./client.ts";

let simulator: Simulator;

beforeAll(async () => {
  simulator = await startSimulator({ speed: 100, tidy: true });
});
beforeEach(() => simulator.reset());
afterAll(() => simulator.close());

type Form = Record<string, string | number>;

const put = (path: string, form: Form, options: CallOptions = {}) => call(simulator, "PUT", path, { form, ...options });
const post = (path: string, form: Form, options: CallOptions = {}) =>
  call(simulator, "POST", path, { form, ...options });
const get = async (path: string) => (await call(simulator, "GET", path)).body.data;
const remove = (path: string) => call(simulator, "DELETE", path);

describe("users", () => {
  test("are created with groups, changed in part and deleted with their rights", async () => {
    await post("/access/groups", { groupid: "ops" });
    await post("/access/users", { userid: "ann@pve", groups: "ops", comment: "hello", email: "ann@example.com" });
    expect(await get("/access/users/ann@pve")).toEqual({
      enable: 1,
      expire: 0,
      email: "ann@example.com",
      comment: "hello",
      groups: ["ops"],
      tokens: null,
    });
    await put("/access/acl", { path: "/vms", users: "ann@pve", roles: "PVEVMUser" });
    await put("/access/users/ann@pve", { comment: "", expire: 1900000000 });
    expect(await get("/access/users/ann@pve")).not.toHaveProperty("comment");
    expect(await get("/access/groups/ops")).toEqual({ members: ["ann@pve"] });
    expect((await remove("/access/users/ann@pve")).status).toBe(200);
    expect(await get("/access/groups/ops")).toEqual({ members: [] });
    expect(await get("/access/acl")).not.toContainEqual(expect.objectContaining({ ugid: "ann@pve" }));
  });

  test("are listed with realm type, and in full with groups and tokens", async () => {
    expect(await get("/access/users")).toContainEqual(
      expect.objectContaining({ userid: "root@pam", "realm-type": "pam", enable: 1, expire: 0 }),
    );
    expect(await get("/access/users?full=1")).toContainEqual(
      expect.objectContaining({ userid: "noacl@pve", groups: "", tokens: [{ tokenid: "tf", privsep: 0, expire: 0 }] }),
    );
  });

  test("lose the blanks around their texts, as groups, tokens and pools do, but no other white space", async () => {
    await post("/access/users", { userid: "joe@pve", firstname: " Joe ", comment: "  two  words\t ", lastname: "  " });
    expect(await get("/access/users/joe@pve")).toMatchObject({ firstname: "Joe", comment: "two  words\t" });
    expect(await get("/access/users/joe@pve")).not.toHaveProperty("lastname");
    await post("/access/users/joe@pve/token/tk", { comment: " mine " });
    expect(await get("/access/users/joe@pve/token/tk")).toMatchObject({ comment: "mine" });
    await post("/access/groups", { groupid: "joes", comment: " our group " });
    expect(await get("/access/groups/joes")).toMatchObject({ comment: "our group" });
    await post("/pools", { poolid: "web", comment: " 0 " });
    expect(await get("/pools?poolid=web")).toEqual([{ poolid: "web", members: [] }]);
  });

  test("a change that fails changes nothing", async () => {
    const answer = await put("/access/users/noacl@pve", { enable: 0, groups: "nowhere" });
    expect(answer.reason).toBe("update user failed: no such group 'nowhere'");
    expect(await get("/access/users/noacl@pve")).toMatchObject({ enable: 1 });
  });
});

describe("tokens", () => {
  test("show their secret once, and a new one when it is regenerated", async () => {
    const path = "/access/users/noacl@pve/token/ci";
    const { data } = (await post(path, { comment: "c" })).body;
    expect(data).toEqual({
      "full-tokenid": "noacl@pve!ci",
      value: expect.any(String),
      info: { privsep: 1, comment: "c" },
    });
    const first = `noacl@pve!ci=${(data as { value: string }).value}`;
    expect((await call(simulator, "GET", "/version", { token: first })).status).toBe(200);
    expect(await get(path)).toEqual({ privsep: 1, expire: 0, comment: "c" });
    const again = (await put(path, { regenerate: 1 })).body.data as { value: string };
    expect((await call(simulator, "GET", "/version", { token: first })).status).toBe(401);
    expect((await call(simulator, "GET", "/version", { token: `noacl@pve!ci=${again.value}` })).status).toBe(200);
  });

  test("refuse to unset what cannot be unset, inside the frame of the operation", async () => {
    const answer = await put("/access/users/noacl@pve/token/tf", { delete: "privsep" });
    expect(answer.reason).toBe("updating token info failed: 400 Parameter verification failed.");
    expect(answer.body.message).toContain("delete: unknown option 'privsep'");
  });

  test("take their ACL entries along", async () => {
    await put("/access/acl", { path: "/vms", tokens: "noacl@pve!tf", roles: "PVEVMUser" });
    await remove("/access/users/noacl@pve/token/tf");
    expect(await get("/access/acl")).not.toContainEqual(expect.objectContaining({ ugid: "noacl@pve!tf" }));
  });
});

describe("roles", () => {
  test.each<[string, Form, number, string]>([
    ["of PVE's name space", { roleid: "pveMine" }, 400, "Parameter verification failed."],
    ["that exist", { roleid: "Provisioner" }, 500, "create role failed: role 'Provisioner' already exists"],
    ["that are built in", { roleid: "NoAccess" }, 500, "create role failed: role 'NoAccess' already exists"],
  ])("%s cannot be created", async (_, form, status, reason) => {
    expect(await post("/access/roles", form)).toMatchObject({ status, reason });
  });

  test("are replaced unless privileges are appended", async () => {
    await post("/access/roles", { roleid: "R1", privs: "VM.Audit" });
    await put("/access/roles/R1", { privs: "VM.Clone", append: 1 });
    expect(await get("/access/roles/R1")).toEqual({ "VM.Audit": 1, "VM.Clone": 1 });
    await put("/access/roles/R1", { privs: "Sys.Audit" });
    expect(await get("/access/roles/R1")).toEqual({ "Sys.Audit": 1 });
  });

  test("that are built in cannot be changed or deleted", async () => {
    expect((await put("/access/roles/PVEAdmin", { privs: "" })).reason).toBe(
      "auto-generated role 'PVEAdmin' cannot be modified",
    );
    expect((await remove("/access/roles/PVEAdmin")).reason).toBe("auto-generated role 'PVEAdmin' cannot be deleted");
  });

  test("take the entries that name them along", async () => {
    await remove("/access/roles/Provisioner");
    expect(await get("/access/acl")).toEqual([]);
  });
});

describe("ACL entries", () => {
  const grant = (form: Form, options?: CallOptions) =>
    put("/access/acl", { path: "/vms/100", roles: "PVEVMUser", users: "noacl@pve", ...form }, options);

  test.each<[string, Form, string, unknown]>([
    [
      "a path that is none",
      { path: "/vms/1" },
      "Parameter verification failed.",
      { path: "invalid ACL path '/vms/1'" },
    ],
    [
      "a path with odd characters",
      { path: "/a b" },
      "Parameter verification failed.",
      { path: "invalid ACL path '/a b'" },
    ],
    ["a role that is none", { roles: "Nope" }, "ACL update failed: role 'Nope' does not exist", undefined],
    ["a user who is none", { users: "x@pve" }, "ACL update failed: user 'x@pve' does not exist", undefined],
    ["a group that is none", { users: "", groups: "g" }, "ACL update failed: group 'g' does not exist", undefined],
    [
      "a token that is none",
      { users: "", tokens: "noacl@pve!none" },
      "ACL update failed: no such token 'none' for user 'noacl@pve'",
      undefined,
    ],
    [
      "no user at all",
      { users: "" },
      "Parameter verification failed.",
      Object.fromEntries(
        ["users", "groups", "tokens"].map((n) => [n, "either 'users', 'groups' or 'tokens' is required."]),
      ),
    ],
  ])("cannot be set for %s", async (_, form, reason, errors) => {
    const answer = await grant(form);
    expect([answer.reason, answer.body.errors]).toEqual([reason, errors]);
  });

  test("are set with and without propagation, and taken away", async () => {
    await grant({ path: "//vms//100/", propagate: 0 });
    const own = async () =>
      ((await get("/access/acl")) as object[]).filter((entry) => "ugid" in entry && entry.ugid === "noacl@pve");
    expect(await own()).toEqual([
      { path: "/vms/100", type: "user", ugid: "noacl@pve", roleid: "PVEVMUser", propagate: 0 },
    ]);
    await grant({});
    expect(await own()).toMatchObject([{ propagate: 1 }]);
    await grant({ delete: 1 });
    expect(await own()).toEqual([]);
  });

  test("let who allocates a guest hand on what they have, and no more", async () => {
    const options = { token: "terraform@pve!tf" };
    expect((await grant({ roles: "PVETemplateUser" }, options)).status).toBe(200);
    const more = await grant({ roles: "PVEVMAdmin" }, options);
    expect(more.status).toBe(500);
    expect(more.body.message).toContain("Cannot add role 'PVEVMAdmin' - requires 'Permissions.Modify' or superset");
    expect((await grant({ path: "/nodes" }, options)).reason).toBe(
      "Permission check failed (/nodes, Permissions.Modify)",
    );
  });
});

describe("permissions", () => {
  test("list default paths, ACL paths and pool members, without those where nothing is allowed", async () => {
    await put("/access/acl", { path: "/vms/100", users: "noacl@pve", roles: "PVEVMUser" });
    const listed = await call(simulator, "GET", "/access/permissions", { token: "noacl@pve!tf" });
    expect(Object.keys(listed.body.data as object)).toEqual(["/vms/100"]);
    expect((listed.body.data as Record<string, object>)["/vms/100"]).toMatchObject({ "VM.Audit": 1 });
  });

  test("of others are for auditors", async () => {
    const ask = (token: string) => call(simulator, "GET", "/access/permissions?userid=root@pam&path=/", { token });
    expect((await ask("noacl@pve!tf")).reason).toBe("Permission check failed (/access, Sys.Audit)");
    expect((await ask("terraform@pve!tf")).status).toBe(200);
  });
});

describe("realms", () => {
  test("are listed for every client, also without a login", async () => {
    const answer = await call(simulator, "GET", "/access/domains", { token: null });
    expect(answer.body.data).toEqual([
      { realm: "pam", type: "pam", comment: "Linux PAM standard authentication" },
      { realm: "pve", type: "pve", comment: "Proxmox VE authentication server" },
    ]);
  });

  test("of directories need their options, and only one is the default", async () => {
    const ldap = { realm: "corp", type: "ldap", server1: "ldap.example.com", base_dn: "dc=x", user_attr: "uid" };
    expect((await post("/access/domains", { ...ldap, base_dn: "" })).status).toBe(200);
    await remove("/access/domains/corp");
    const { base_dn: _, ...incomplete } = ldap;
    expect((await post("/access/domains", incomplete)).reason).toBe(
      "add auth server failed: missing value for required option 'base_dn'",
    );
    expect((await post("/access/domains", { ...ldap, "client-id": "x" })).reason).toBe(
      "add auth server failed: unexpected property 'client-id'",
    );
    await post("/access/domains", { ...ldap, default: 1 });
    await put("/access/domains/pve", { default: 1 });
    expect(await get("/access/domains/corp")).not.toHaveProperty("default");
    expect(await get("/access/domains/pve")).toMatchObject({ type: "pve", default: 1, digest: expect.any(String) });
  });

  test("are guarded by a digest", async () => {
    expect((await put("/access/domains/pve", { comment: "x", digest: "0".repeat(40) })).reason).toBe(
      "update auth server failed: detected modified configuration - file changed by other user? Try again.",
    );
  });
});
