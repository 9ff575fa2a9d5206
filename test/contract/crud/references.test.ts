import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { attribute, ResourceBench } from "../resource-bench.ts";

let bench: ResourceBench;

beforeAll(async () => {
  bench = await ResourceBench.open();
});
beforeEach(() => bench.configure());
afterAll(() => bench.close());

const vm = { name: "web", clone: { template: "debian-13-cloud" }, power: "stopped", pool: "fresh" };

/** What Terraform does with resources that do not refer to each other: both at once, in whichever order. */
describe.each([
  ["before", true],
  ["after", false],
])("a name written as text is planned %s the object it names", (_, isFirst) => {
  const both = async <A, B>(one: () => Promise<A>, other: () => Promise<B>): Promise<[A, B]> => {
    const early = isFirst ? one() : other();
    await sleep(30);
    const late = isFirst ? other() : one();
    return (isFirst ? Promise.all([early, late]) : Promise.all([late, early])) as Promise<[A, B]>;
  };

  test("a VM in a pool", async () => {
    const [vms, pools] = [bench.resource("proxmox_vm"), bench.resource("proxmox_pool")];
    const [guest, pool] = await both(
      () => vms.plan(null, vm),
      () => pools.plan(null, { id: "fresh" }),
    );
    const [made, holder] = await both(
      () => vms.apply(guest),
      () => pools.apply(pool),
    );
    expect(bench.simulator.sim.world.access.pools["fresh"]?.vms).toHaveLength(1);
    await vms.destroy(made);
    await pools.destroy(holder);
  });

  test.each([
    ["a clone", { clone: { template: "debian-13-cloud", storage: "fresh" } }],
    ["a disk", { disks: { scsi1: { storage: "fresh", size: "1G" } } }],
    ["the memory of snapshots", { vm_state_storage: "fresh" }],
  ])("a storage for %s", async (_, more) => {
    const [vms, storages] = [bench.resource("proxmox_vm"), bench.resource("proxmox_storage")];
    const [guest, storage] = await both(
      () => vms.plan(null, { ...vm, pool: null, ...more }),
      () => storages.plan(null, { id: "fresh", dir: { path: "/srv/fresh" }, content: ["images"] }),
    );
    const [made, holder] = await both(
      () => vms.apply(guest),
      () => storages.apply(storage),
    );
    await vms.destroy(made);
    await storages.destroy(holder);
  });

  test("a user in a group", async () => {
    const [users, groups] = [bench.resource("proxmox_user"), bench.resource("proxmox_group")];
    const [user, group] = await both(
      () => users.plan(null, { id: "ann@pve", groups: ["fresh"] }),
      () => groups.plan(null, { id: "fresh" }),
    );
    const [made, holder] = await both(
      () => users.apply(user),
      () => groups.apply(group),
    );
    expect(bench.simulator.sim.world.access.users["ann@pve"]?.groups).toEqual(["fresh"]);
    await users.destroy(made);
    await groups.destroy(holder);
  });

  test("a token of a user", async () => {
    const [tokens, users] = [bench.resource("proxmox_token"), bench.resource("proxmox_user")];
    const [token, user] = await both(
      () => tokens.plan(null, { user: "ann@pve", name: "ci" }),
      () => users.plan(null, { id: "ann@pve" }),
    );
    const [made, owner] = await both(
      () => tokens.apply(token),
      () => users.apply(user),
    );
    expect(Object.keys(bench.simulator.sim.world.access.users["ann@pve"]?.tokens ?? {})).toEqual(["ci"]);
    await tokens.destroy(made);
    await users.destroy(owner);
  });

  test("an HA resource of a VM", async () => {
    const [services, vms] = [bench.resource("proxmox_ha_resource"), bench.resource("proxmox_vm")];
    const [service, guest] = await both(
      () => services.plan(null, { sid: "vm:700", state: "stopped" }),
      () => vms.plan(null, { name: "watched", node: "pve1", vmid: 700, power: "stopped" }),
    );
    const [made, owner] = await both(
      () => services.apply(service),
      () => vms.apply(guest),
    );
    expect(attribute(made, "sid")).toBe("vm:700");
    await services.destroy(made);
    await vms.destroy(owner);
  });

  test("an ACL entry for a token, on a VM", async () => {
    const [entries, tokens, vms] = ["acl", "token", "vm"].map((name) => bench.resource(`proxmox_${name}`));
    if (!entries || !tokens || !vms) throw new Error("a resource is missing");
    const given = { path: "/vms/701", role: "PVEVMUser", token: "noacl@pve!fresh" };
    const [entry] = await both(
      () => entries.plan(null, given),
      () =>
        Promise.all([
          tokens.plan(null, { user: "noacl@pve", name: "fresh" }),
          vms.plan(null, { vmid: 701, node: "pve1", name: "fresh" }),
        ]),
    );
    expect(entry.warnings).toEqual([]);
  });

  test("an ACL entry for a role and a group", async () => {
    const [entries, roles] = [bench.resource("proxmox_acl"), bench.resource("proxmox_role")];
    await both(
      () => entries.plan(null, { path: "/vms", role: "Fresh", user: "noacl@pve" }),
      () => roles.plan(null, { id: "Fresh", privileges: ["VM.Audit"] }),
    );
  });

  test("an ACL entry for a group, on a pool", async () => {
    const [entries, groups, pools] = ["acl", "group", "pool"].map((name) => bench.resource(`proxmox_${name}`));
    if (!entries || !groups || !pools) throw new Error("a resource is missing");
    const given = { path: "/pool/fresh", role: "PVEVMUser", group: "fresh" };
    const [entry, [group, pool]] = await both(
      () => entries.plan(null, given),
      () => Promise.all([groups.plan(null, { id: "fresh" }), pools.plan(null, { id: "fresh" })]),
    );
    expect(entry.warnings).toEqual([]);
    const [made, holders] = await both(
      () => entries.apply(entry),
      () => Promise.all([groups.apply(group), pools.apply(pool)]),
    );
    const { acl } = bench.simulator.sim.world.access;
    expect(acl).toContainEqual(expect.objectContaining({ path: "/pool/fresh", type: "group", ugid: "fresh" }));
    await entries.destroy(made);
    await groups.destroy(holders[0]);
    await pools.destroy(holders[1]);
  });
});

test("a name that nothing has and nothing creates is refused with near names and the reference to write", async () => {
  await expect(bench.resource("proxmox_vm").plan(null, vm)).rejects.toThrow(
    /Pool `fresh` does not exist\. .*If this configuration creates it, refer to it: `proxmox_pool\.NAME\.id`/s,
  );
});
