import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { ManagedResource } from "../../harness/index.ts";
import { attribute, ResourceBench, writable } from "../resource-bench.ts";

let bench: ResourceBench;

beforeAll(async () => {
  bench = await ResourceBench.open({ env: { PROXMOX_LOG_LEVEL: "debug" } });
});

beforeEach(() => {
  access().groups["ops"] = {};
  access().groups["dev"] = {};
});

afterAll(() => bench.close());

const user = (): ManagedResource => bench.resource("proxmox_user");
const access = () => bench.simulator.sim.world.access;
const full = {
  id: "ann@pve",
  enabled: false,
  expire: "2040-01-01T12:00:00+02:00",
  comment: "on call: 100 % ä",
  email: "ann@example.com",
  first_name: "Ann",
  last_name: "Other",
  groups: ["ops"],
};

describe("a user", () => {
  test("is created, changed in place, cleared of removed arguments, and destroyed", async () => {
    const made = await user().create(full);
    expect(attribute(made, "expire"), "written as its author wrote it").toBe(full.expire);
    expect(access().users["ann@pve"]).toMatchObject({ enable: false, expire: 2_209_024_800, groups: ["ops"] });
    const changed = await user().update(made, { ...full, enabled: true, groups: ["dev"], comment: "x" });
    expect(access().users["ann@pve"]).toMatchObject({ enable: true, groups: ["dev"], comment: "x" });
    const bare = await user().update(changed, { id: "ann@pve" });
    expect(access().users["ann@pve"]).toEqual({ enable: true, expire: 0, groups: ["dev"], tokens: {}, tfa: [] });
    const { warnings = [] } = await user().plan(made, { id: "ann@pve" });
    expect(warnings.map(({ detail }) => detail)).toContainEqual(
      "`groups` is no longer configured. Left out, it is not managed. It keeps its value. To unset it, write `groups = []`.",
    );
    const alone = await user().update(bare, { id: "ann@pve", groups: [] });
    expect(access().users["ann@pve"]?.groups).toEqual([]);
    await user().destroy(alone);
    expect(access().users["ann@pve"]).toBeUndefined();
  });

  test("is imported by its name and followed by an empty plan", async () => {
    const made = await user().create(full);
    const imported = await user().import({ id: "ann@pve" });
    expect(attribute(imported, "expire")).toBe("2040-01-01T10:00:00Z");
    await user().expectSettled(imported, writable(user(), imported));
    await user().expectSettled(imported, full);
    await user().destroy(made);
  });

  test("that exists is not taken over", async () => {
    await expect(user().plan(null, { id: "noacl@pve" })).rejects.toThrow(/exists already[\s\S]*id = "noacl@pve"/);
  });

  test("whose creation got no response is found", async () => {
    bench.simulator.faults.order({ do: "reset", call: "POST /access/users", after: 1 });
    await user().destroy(await user().create({ id: "unsure@pve" }));
    bench.simulator.faults.clear();
  });
});

describe("a password", () => {
  const config = { id: "bob@pve", password: "first-password", password_version: 1 };

  test("is set with the user, and is stored nowhere", async () => {
    const made = await user().create(config);
    expect(access().users["bob@pve"]?.password).toBe("first-password");
    expect(JSON.stringify(made.state)).not.toContain("first-password");
    expect(bench.provider.stderr()).not.toContain("first-password");
    await user().destroy(made);
  });

  test("cannot be changed with a token, which the plan reports", async () => {
    const made = await user().create(config);
    const next = { ...config, password: "second-password", password_version: 2 };
    await expect(user().plan(made, next)).rejects.toThrow(/the provider uses the token root@pam!admin/);
    await bench.configure(undefined, { username: "root@pam", password: "proxmox" });
    const third = { ...config, password: "third-password", password_version: 3 };
    const beside = await user().update(made, third);
    expect(access().users["bob@pve"]?.password).toBe("third-password");
    await bench.restart("root@pam");
    const changed = await user().update(beside, next);
    expect(access().users["bob@pve"]?.password).toBe("second-password");
    await user().update(changed, { ...next, password: "ignored-password" });
    expect(access().users["bob@pve"]?.password).toBe("second-password");
    await user().destroy(changed);
    await bench.restart();
  });
});

test("the provider's own password is changed with a warning, and the run continues with the new one", async () => {
  const admin = { id: "carol@pve", password: "first-password", password_version: 1 };
  await user().create(admin);
  const grant = { path: "/", type: "user", ugid: "carol@pve", roleid: "Administrator", propagate: true } as const;
  access().acl.push(grant);
  await bench.configure("", { username: "carol@pve", password: "first-password" });
  const mine = await user().import({ id: "carol@pve" });
  const second = await user().plan(mine, { id: "carol@pve", password: "second-password", password_version: 2 });
  expect(second.warnings).toMatchObject([{ summary: "The provider's own password" }]);
  const other = await user().create({ id: "dave@pve", password: "first-password", password_version: 1 });
  const next = { id: "dave@pve", password: "second-password", password_version: 2 };
  const plans = [second, await user().plan(other, next)];
  for (const plan of plans) {
    await user().apply(plan);
    bench.simulator.faults.order({ do: "expire_tickets" });
  }
  expect(access().users["dave@pve"]?.password).toBe("second-password");
  access().acl.splice(access().acl.indexOf(grant), 1);
  for (const id of ["carol@pve", "dave@pve"]) delete access().users[id];
  await bench.restart();
});

test.each([
  ["a user without a realm", { id: "ann" }, /such as `ann@pve`/],
  ["a token for a user", { id: "ann@pve!ci" }, /such as `ann@pve`/],
  ["an unknown realm", { id: "ann@pev" }, /Realm `pev` does not exist[\s\S]*`pam`, `pve`/],
  ["a short password", { id: "ann@pve", password: "short" }, /8 to 64/],
  ["a password in the pam realm", { id: "ann@pam", password: "long-enough" }, /each node's own system/],
  ["an invalid e-mail address", { id: "ann@pve", email: "ann" }, /an e-mail address/],
  ["a time in another format", { id: "ann@pve", expire: "tomorrow" }, /RFC 3339/],
  ["an unknown group", { id: "ann@pve", groups: ["opps"] }, /Group `opps` does not exist[\s\S]*`ops`/],
  ["an empty name", { id: "ann@pve", first_name: "" }, /leave it out/],
])("%s is refused", async (_, config, message) => {
  await expect(user().plan(null, config)).rejects.toThrow(message);
});

test("an expiry in the past causes a warning", async () => {
  const { warnings } = await user().plan(null, { id: "ann@pve", expire: "2001-01-01T00:00:00Z" });
  expect(warnings).toMatchObject([{ summary: "Over already" }]);
});

describe("the provider's own user", () => {
  test.each([
    [
      "disabled",
      async (mine: Awaited<ReturnType<ManagedResource["import"]>>) =>
        user().plan(mine, { id: "terraform@pve", comment: "may do what a provisioner needs", enabled: false }),
    ],
    [
      "ended",
      async (mine: Awaited<ReturnType<ManagedResource["import"]>>) =>
        user().plan(mine, { id: "terraform@pve", expire: "2001-01-01T00:00:00Z" }),
    ],
    ["destroyed", async (mine: Awaited<ReturnType<ManagedResource["import"]>>) => user().planDestroy(mine)],
  ])("is not %s", async (_, act) => {
    const entry = {
      path: "/access",
      type: "user",
      ugid: "terraform@pve",
      roleid: "Administrator",
      propagate: true,
    } as const;
    access().acl.push(entry);
    await bench.restart("terraform@pve!tf");
    const mine = await user().import({ id: "terraform@pve" });
    await expect(act(mine)).rejects.toThrow(/The provider's own (user|account)/);
    access().acl.splice(access().acl.indexOf(entry), 1);
  });
});

test("the plan requires its privileges", async () => {
  await bench.restart("terraform@pve!tf");
  await expect(user().plan(null, { id: "ann@pve" })).rejects.toThrow(
    /\/access\/groups: User\.Modify[\s\S]*\/access\/realm\/pve: Realm\.AllocateUser/,
  );
});
