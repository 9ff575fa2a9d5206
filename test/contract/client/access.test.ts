import { describe, expect, it } from "vitest";
import { startCluster, tokens } from "./simulated-cluster.ts";

const root = { apiToken: tokens.root };
const entry = { path: "/vms", role: "PVEVMUser", type: "user", subject: "noacl@pve" } as const;
const lockTimeout = "ACL update failed: cfs-lock 'file-user_cfg' error: got lock request timeout";

describe("access control", () => {
  it("manages roles, and marks the built-in ones", async () => {
    await using cluster = await startCluster(root);
    const { roles } = cluster.client.access;
    await roles.create("Ops", ["VM.Audit"]);
    await expect(roles.create("Ops", [])).rejects.toMatchObject({ kind: "exists" });
    await roles.update("Ops", ["VM.PowerMgmt", "VM.Console"]);
    expect(await roles.find("Ops")).toEqual({
      id: "Ops",
      privileges: ["VM.Console", "VM.PowerMgmt"],
      isBuiltIn: false,
    });
    await roles.update("Ops", []);
    expect(await roles.find("Ops")).toMatchObject({ privileges: [] });
    expect(await roles.find("NoAccess")).toEqual({ id: "NoAccess", privileges: [], isBuiltIn: true });
    await roles.remove("Ops");
    await roles.remove("Ops");
    expect(await roles.find("Ops")).toBeNull();
  });

  it("manages users, and removes empty values", async () => {
    await using cluster = await startCluster(root);
    const { users } = cluster.client.access;
    await users.create("ann@pve", { comment: "c", expire: 1_900_000_000, password: "a-password" });
    await expect(users.create("ann@pve", {})).rejects.toMatchObject({ kind: "exists" });
    await users.update("ann@pve", { comment: "", enable: false });
    expect(await users.get("ann@pve")).toMatchObject({ enable: false, expire: 1_900_000_000, groups: [] });
    expect(await users.get("ann@pve")).not.toHaveProperty("comment");
    await users.remove("ann@pve");
    await users.remove("ann@pve");
    expect(await users.find("ann@pve")).toBeNull();
  });

  it("lets a user with a password change passwords", async () => {
    await using cluster = await startCluster({ username: "root@pam", password: "proxmox" });
    await cluster.client.access.users.setPassword("noacl@pve", "another-password");
    const other = cluster.connect({ username: "noacl@pve", password: "another-password" });
    await other.access.users.setPassword("noacl@pve", "one-more-password", { confirmation: "another-password" });
    expect(cluster.simulator.sim.world.access.users["noacl@pve"]?.password).toBe("one-more-password");
  });

  it("manages tokens, whose secrets are returned once and never logged", async () => {
    await using cluster = await startCluster(root);
    const { tokens: calls } = cluster.client.access;
    const id = { user: "noacl@pve", name: "ci" };
    const first = await calls.create(id, { comment: "c" });
    await expect(calls.create(id, {})).rejects.toMatchObject({ kind: "exists" });
    const second = await calls.regenerate(id);
    expect(second).not.toBe(first);
    await calls.update(id, { comment: "", expire: 1_900_000_000, privsep: false });
    expect(await calls.find(id)).toEqual({ expire: 1_900_000_000, privsep: false });
    expect(JSON.stringify(cluster.lines)).not.toMatch(new RegExp(`${first}|${second}`));
    await calls.remove(id);
    await calls.remove(id);
    expect(await calls.find(id)).toBeNull();
  });

  it("manages ACL entries, and changes one without changing others", async () => {
    await using cluster = await startCluster(root);
    const { acl } = cluster.client.access;
    const before = await acl.list();
    await acl.set(entry, {});
    await acl.set({ ...entry, role: "PVEAuditor" }, { propagate: false });
    await acl.set(entry, { propagate: false });
    await acl.remove({ ...entry, role: "PVEAuditor" });
    expect(await acl.list()).toEqual([...before, { ...entry, propagate: false }]);
    await acl.remove(entry);
    await acl.remove(entry);
    expect(await acl.list()).toEqual(before);
  });
});

describe("user.cfg", () => {
  it("makes twenty simultaneous changes one after the other", async () => {
    await using cluster = await startCluster(root);
    const { acl } = cluster.client.access;
    const vms = Array.from({ length: 20 }, (_, index) => 500 + index);
    await Promise.all(vms.map((vmid) => acl.set({ ...entry, path: `/vms/${vmid}` }, {})));
    const paths = (await acl.list()).map(({ path }) => path);
    expect(paths).toEqual(expect.arrayContaining(vms.map((vmid) => `/vms/${vmid}`)));
  });

  it("waits while another client holds the lock", async () => {
    await using cluster = await startCluster(root);
    cluster.simulator.faults.order({
      do: "answer",
      call: "PUT /access/acl",
      status: 500,
      reason: lockTimeout,
      times: 2,
    });
    await cluster.client.access.acl.set(entry, {});
    expect(cluster.calls("PUT /access/acl")).toBe(3);
    expect(cluster.lines.filter(({ message }) => message === "locked, waiting")).toHaveLength(2);
  });

  it("fails after the last attempt, with the reason", async () => {
    await using cluster = await startCluster({ ...root, lockAttempts: 2 });
    cluster.simulator.faults.order({
      do: "answer",
      call: "PUT /access/acl",
      status: 500,
      reason: lockTimeout,
      times: 0,
    });
    await expect(cluster.client.access.acl.set(entry, {})).rejects.toThrow(/file-user_cfg.*2 attempts/);
  });
});

describe("a lost response", () => {
  it.each([
    ["to an idempotent change", "PUT /access/acl"],
    ["to a removal", "DELETE /access/roles/{roleid}"],
  ])("%s is repeated", async (_, call) => {
    await using cluster = await startCluster(root);
    const { acl, roles } = cluster.client.access;
    await roles.create("Ops", []);
    cluster.simulator.faults.order({ do: "answer", call, status: 596, after: 1 });
    await acl.set(entry, {});
    await roles.remove("Ops");
    expect(await roles.find("Ops")).toBeNull();
    expect(await acl.list()).toContainEqual({ ...entry, propagate: true });
  });

  it("to a creation is reported as unknown", async () => {
    await using cluster = await startCluster(root);
    const { roles } = cluster.client.access;
    cluster.simulator.faults.order({ do: "answer", call: "POST /access/roles", status: 596, after: 1 });
    await expect(roles.create("Ops", [])).rejects.toMatchObject({ mayHaveHappened: true });
    expect(cluster.calls("POST /access/roles")).toBe(1);
  });
});
