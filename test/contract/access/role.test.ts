import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { ManagedResource } from "../../harness/index.ts";
import { ResourceBench, writable } from "../resource-bench.ts";

let bench: ResourceBench;

beforeAll(async () => {
  bench = await ResourceBench.open();
});

afterAll(() => bench.close());

const role = (): ManagedResource => bench.resource("proxmox_role");
const access = () => bench.simulator.sim.world.access;

describe("a role", () => {
  test("is created, changed in place, emptied and destroyed", async () => {
    const made = await role().create({ id: "Ops", privileges: ["VM.Audit", "VM.PowerMgmt"] });
    const changed = await role().update(made, { id: "Ops", privileges: ["VM.PowerMgmt", "VM.Console"] });
    expect([...(access().roles["Ops"] ?? [])].sort()).toEqual(["VM.Console", "VM.PowerMgmt"]);
    const empty = await role().update(changed, { id: "Ops", privileges: [] });
    expect(access().roles["Ops"]).toEqual([]);
    await role().destroy(empty);
    expect(access().roles["Ops"]).toBeUndefined();
  });

  test("is imported by its name and followed by an empty plan", async () => {
    access().roles["Old"] = ["VM.Clone", "VM.Audit"];
    const imported = await role().import({ id: "Old" });
    await role().expectSettled(imported, writable(role(), imported));
    delete access().roles["Old"];
  });

  test.each(["id", "identity"])("that is built in is not imported by %s", async (by) => {
    const how = by === "id" ? { id: "PVEVMUser" } : { identity: { id: "PVEVMUser" } };
    await expect(role().import(how)).rejects.toThrow(/comes with Proxmox VE/);
  });

  test("that exists is not taken over, which the plan reports", async () => {
    await expect(role().plan(null, { id: "Provisioner", privileges: [] })).rejects.toThrow(
      /Role "Provisioner" exists already[\s\S]*to = proxmox_role\.NAME/,
    );
  });

  test("whose creation got no response is found", async () => {
    bench.simulator.faults.order({ do: "reset", call: "POST /access/roles", after: 1 });
    await role().destroy(await role().create({ id: "Unsure", privileges: ["VM.Audit"] }));
    bench.simulator.faults.clear();
  });
});

describe("privileges", () => {
  test.each([
    ["that PVE 9 no longer has", "VM.Monitor", /`VM\.Monitor`[\s\S]*VM\.GuestAgent\.Audit[\s\S]*Sys\.Audit/],
    ["in the wrong case", "vm.audit", /no privilege `vm\.audit`\. Did you mean `VM\.Audit`/],
    ["with a typing mistake", "VM.Config.Dsik", /Did you mean `VM\.Config\.Disk`/],
    ["that never existed", "Everything", /no privilege `Everything`\. It knows 47/],
  ])("%s are refused with the correct name", async (_, privilege, message) => {
    await expect(role().plan(null, { id: "Ops", privileges: ["VM.Audit", privilege] })).rejects.toThrow(message);
  });
});

test.each([
  ["PVEOps", /built-in/],
  ["pveOps", /Must not begin with `PVE`/],
  ["Administrator", /is a built-in role/],
  ["a b", /letters, digits/],
])("the name %s is refused", async (id, message) => {
  await expect(role().plan(null, { id, privileges: [] })).rejects.toThrow(message);
});

test("the removal of a granted role lists the removed grants", async () => {
  const made = await role().create({ id: "Used", privileges: ["VM.Audit"] });
  access().acl.push({ path: "/vms", type: "user", ugid: "noacl@pve", roleid: "Used", propagate: true });
  await role().destroy(made);
  expect(access().acl.filter(({ roleid }) => roleid === "Used")).toEqual([]);
});

test("the plan requires the privilege to create roles", async () => {
  await bench.restart("terraform@pve!tf");
  await expect(role().plan(null, { id: "Mine", privileges: [] })).rejects.toThrow(/\/access: Sys\.Modify/);
});
