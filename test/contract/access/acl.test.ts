import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Instance, ManagedResource } from "../../harness/index.ts";
import { attribute, ResourceBench, writable } from "../resource-bench.ts";

let bench: ResourceBench;

beforeAll(async () => {
  bench = await ResourceBench.open({ env: { PROXMOX_VE_LOCK_WAITS: "20ms,40ms,80ms,160ms" } });
});

beforeEach(() => {
  access().groups["ops"] = {};
});

afterEach(() => bench.simulator.faults.clear());

afterAll(() => bench.close());

const acl = (): ManagedResource => bench.resource("proxmox_acl");
const access = () => bench.simulator.sim.world.access;
const entry = { path: "/vms", role: "PVEVMUser", user: "noacl@pve" };
const entries = (ugid: string) => access().acl.filter((one) => one.ugid === ugid);

describe("an entry", () => {
  test.each([
    ["a user", { user: "noacl@pve" }, "user", "noacl@pve"],
    ["a group", { group: "ops" }, "group", "ops"],
    ["a token", { token: "noacl@pve!tf" }, "token", "noacl@pve!tf"],
  ])("for %s is created, changed in place, imported and destroyed", async (_, subject, type, ugid) => {
    const config = { path: "/storage/ceph", role: "PVEAuditor", ...subject };
    const id = `/storage/ceph:PVEAuditor:${type}:${ugid}`;
    const made = await acl().create(config);
    expect(attribute(made, "id")).toBe(id);
    expect(attribute(made, "propagate")).toBe(true);
    const changed = await acl().update(made, { ...config, propagate: false });
    expect(entries(ugid)).toEqual([{ path: "/storage/ceph", type, ugid, roleid: "PVEAuditor", propagate: false }]);
    const imported = await acl().import({ id });
    expect(imported.state).toEqual(changed.state);
    await acl().expectSettled(imported, writable(acl(), imported));
    await acl().expectSettled(await acl().import({ identity: { id } }), config);
    await acl().destroy(changed);
    expect(entries(ugid)).toEqual([]);
  });

  test("leaves other entries alone", async () => {
    const first = await acl().create(entry);
    const second = await acl().create({ ...entry, role: "PVEAuditor" });
    await acl().destroy(first);
    expect(entries("noacl@pve")).toMatchObject([{ roleid: "PVEAuditor" }]);
    await acl().destroy(second);
  });

  test("that exists is not taken over", async () => {
    const made = await acl().create(entry);
    await bench.restart();
    await expect(acl().plan(null, entry)).rejects.toThrow(
      /exists already[\s\S]*to = proxmox_acl\.NAME\n {2}id = "\/vms:PVEVMUser:user:noacl@pve"/,
    );
    await acl().destroy(made);
  });

  test("that another client created first is left as it is", async () => {
    const plan = await acl().plan(null, entry);
    const theirs = { path: "/vms", type: "user", ugid: "noacl@pve", roleid: "PVEVMUser", propagate: false } as const;
    access().acl.push(theirs);
    await expect(acl().apply(plan)).rejects.toThrow(/exists already/);
    expect(entries("noacl@pve")).toEqual([theirs]);
    access().acl.splice(access().acl.indexOf(theirs), 1);
    await bench.configure();
  });

  test("for another role replaces it", async () => {
    const made = await acl().create(entry);
    const plan = await acl().plan(made, { ...entry, role: "PVEAuditor" });
    expect(plan).toMatchObject({ action: "replace", replacePaths: ["role"] });
    const replaced = await acl().apply(plan);
    expect(entries("noacl@pve")).toMatchObject([{ roleid: "PVEAuditor" }]);
    await acl().destroy(replaced);
  });

  test("that was removed with its VM is created again", async () => {
    const made = await acl().create({ ...entry, path: "/vms/9000" });
    access().acl = access().acl.filter(({ path }) => path !== "/vms/9000");
    await bench.restart();
    expect(await acl().find(made)).toBeNull();
  });

  test("survives a lost response", async () => {
    bench.simulator.faults.order({ do: "reset", call: "PUT /access/acl", after: 1 });
    const made = await acl().create(entry);
    bench.simulator.faults.order({ do: "reset", call: "PUT /access/acl", after: 1 });
    await acl().destroy(made);
    expect(entries("noacl@pve")).toEqual([]);
  });
});

test("twenty entries are created ten at a time, although another client locks user.cfg now and then, and read in one request", async () => {
  const reason = "ACL update failed: cfs-lock 'file-user_cfg' error: got lock request timeout";
  bench.simulator.faults.order({ do: "answer", call: "PUT /access/acl", status: 500, reason, nth: 3, times: 3 });
  const waiting = Array.from({ length: 20 }, (_, index) => ({ ...entry, path: `/vms/${600 + index}` }));
  const made: Instance[] = [];
  const worker = async () => {
    for (let config = waiting.pop(); config; config = waiting.pop()) made.push(await acl().create(config));
  };
  await Promise.all(Array.from({ length: 10 }, worker));
  expect(entries("noacl@pve")).toHaveLength(20);

  await bench.restart();
  const before = listings();
  await Promise.all(made.map((instance) => acl().refresh(instance)));
  expect(listings() - before).toBe(1);
  access().acl = access().acl.filter(({ ugid }) => ugid !== "noacl@pve");
});

function listings(): number {
  const { calls } = bench.simulator.sim.log.summary() as { calls: { endpoint: string; count: number }[] };
  return calls.find(({ endpoint }) => endpoint === "GET /access/acl")?.count ?? 0;
}

test.each([
  ["no subject", { path: "/vms", role: "PVEVMUser" }, /Subject needed/],
  ["two subjects", { ...entry, group: "ops" }, /One subject only/],
  ["root, which has every privilege", { ...entry, user: "root@pam" }, /has every right/],
  ["a token for a user", { ...entry, user: "noacl@pve!tf" }, /a user such as/],
  ["a user for a token", { path: "/vms", role: "PVEVMUser", token: "noacl@pve" }, /a token such as/],
  ["a path without a slash", { ...entry, path: "vms" }, /begin with a slash/],
  ["a path that ends with one", { ...entry, path: "/vms/" }, /end with a slash/],
  ["a path that PVE does not have", { ...entry, path: "/foo/bar" }, /`\/vms\/VMID`/],
  ["a VLAN without a bridge", { ...entry, path: "/sdn/zones/localnetwork/vmbr0/x/y" }, /path Proxmox VE knows/],
  ["an unknown role", { ...entry, role: "PVEVMUsr" }, /Role `PVEVMUsr` does not exist. Did you mean .*`PVEVMUser`/],
  ["an unknown user", { ...entry, user: "ghost@pve" }, /User `ghost@pve` does not exist/],
  [
    "an unknown token",
    { path: "/vms", role: "PVEVMUser", token: "noacl@pve!nope" },
    /Token `noacl@pve!nope` does not exist\. Did you mean `noacl@pve!tf`/,
  ],
])("%s is refused", async (_, config, message) => {
  await expect(acl().plan(null, config)).rejects.toThrow(message);
});

test.each([
  "/",
  "/access/groups/ops",
  "/nodes/pve1",
  "/sdn/zones/localnetwork/vmbr0/20",
  "/sdn/fabrics/one",
  "/mapping/pci/gpu",
])("the path %s is accepted", async (path) => {
  expect((await acl().plan(null, { ...entry, path })).warnings).toEqual([]);
});

test.each(["/vms:PVEVMUser:noacl@pve", "vms:PVEVMUser:user:noacl@pve", "/vms:PVEVMUser:person:noacl@pve"])(
  "the import ID %s is refused with its form",
  async (id) => {
    await expect(acl().import({ id })).rejects.toThrow(/PATH:ROLE:user:NAME/);
  },
);

test.each([
  ["/vms/777", "There is no VM or container 777"],
  ["/storage/cepf", "There is no storage `cepf`"],
  ["/pool/nowhere", "There is no pool `nowhere`"],
  ["/nodes/pve9", "There is no node `pve9`"],
])("an entry on %s, where no object exists, causes a warning", async (path, detail) => {
  const { warnings } = await acl().plan(null, { ...entry, path });
  expect(warnings).toMatchObject([{ summary: "Nothing is there yet", detail: expect.stringContaining(detail) }]);
});

test("an object that the same plan creates counts as existing", async () => {
  await bench.resource("proxmox_role").plan(null, { id: "Coming", privileges: [] });
  await bench.resource("proxmox_user").plan(null, { id: "coming@pve" });
  await bench.resource("proxmox_token").plan(null, { user: "coming@pve", name: "ci" });
  await bench.resource("proxmox_pool").plan(null, { id: "coming" });
  const config = { path: "/pool/coming", role: "Coming" };
  expect((await acl().plan(null, { ...config, user: "coming@pve" })).warnings).toEqual([]);
  expect((await acl().plan(null, { ...config, token: "coming@pve!ci" })).warnings).toEqual([]);
});

describe("the provider's own privileges", () => {
  const mine = { path: "/", type: "user", ugid: "terraform@pve", roleid: "Administrator", propagate: true } as const;
  const own = { path: "/", role: "Administrator", user: "terraform@pve" };
  const summary = "This takes away the provider's own rights";

  beforeAll(async () => {
    access().acl = [mine];
    await bench.restart("terraform@pve!tf");
  });

  test("are not removed without a warning", async () => {
    const imported = await acl().import({ id: "/:Administrator:user:terraform@pve" });
    expect((await acl().planDestroy(imported)).warnings).toMatchObject([{ summary }]);
    const { warnings } = await acl().plan(imported, { ...own, propagate: false });
    expect(warnings).toMatchObject([{ summary, detail: expect.stringContaining("below /") }]);
  });

  test("are not hidden by an entry further down without a warning", async () => {
    const { warnings } = await acl().plan(null, { ...own, path: "/vms", role: "PVEVMUser" });
    expect(warnings).toMatchObject([{ summary, detail: expect.stringContaining("on /vms") }]);
    expect((await acl().plan(null, { ...own, path: "/vms" })).warnings).toEqual([]);
  });

  test("are not removed from a role without a warning", async () => {
    access().roles["Boss"] = ["Permissions.Modify", "Sys.Modify", "Sys.Audit", "User.Modify"];
    access().acl = [{ ...mine, roleid: "Boss" }];
    await bench.restart("terraform@pve!tf");
    const imported = await bench.resource("proxmox_role").import({ id: "Boss" });
    const plan = await bench.resource("proxmox_role").plan(imported, { id: "Boss", privileges: ["Sys.Modify"] });
    expect(plan.warnings).toMatchObject([{ summary }]);
  });

  test("of other users cause no warning", async () => {
    expect((await acl().plan(null, entry)).warnings).toEqual([]);
  });
});

test("hidden entries are not treated as deleted", async () => {
  access().acl = [
    { path: "/", type: "user", ugid: "terraform@pve", roleid: "PVEVMUser", propagate: true },
    { path: "/pool", type: "user", ugid: "noacl@pve", roleid: "PVEVMUser", propagate: true },
  ];
  await bench.restart("terraform@pve!tf");
  await expect(acl().import({ id: "/pool:PVEVMUser:user:noacl@pve" })).rejects.toThrow(/entries are hidden/i);
  await expect(acl().plan(null, entry)).rejects.toThrow(/\/vms: Permissions\.Modify/);
});
