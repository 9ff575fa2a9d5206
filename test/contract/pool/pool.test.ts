import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import type { ManagedResource } from "../../harness/index.ts";
import { attribute, ResourceBench, writable } from "../resource-bench.ts";

let bench: ResourceBench;

beforeAll(async () => {
  bench = await ResourceBench.open();
});

afterEach(() => bench.simulator.faults.clear());

afterAll(() => bench.close());

const pool = (): ManagedResource => bench.resource("proxmox_pool");
const pools = () => bench.simulator.sim.world.access.pools;

describe("a pool", () => {
  test("is created, changed in place, emptied of its arguments, and destroyed", async () => {
    const made = await pool().create({ id: "prod", comment: "first", storages: ["ceph", "nas"] });
    expect(pools()["prod"]).toEqual({ comment: "first", vms: [], storage: ["ceph", "nas"] });
    const changed = await pool().update(made, { id: "prod", comment: "second", storages: ["nas", "local"] });
    expect(pools()["prod"]).toMatchObject({ comment: "second", storage: ["nas", "local"] });
    const bare = await pool().update(changed, { id: "prod" });
    expect(attribute(bare, "comment")).toBeNull();
    expect(pools()["prod"]?.storage, "unmentioned storages are left alone").toEqual(["nas", "local"]);
    await pool().destroy(bare);
    expect(pools()["prod"]).toBeUndefined();
  });

  test("keeps members that were added outside Terraform", async () => {
    const made = await pool().create({ id: "shared" });
    pools()["shared"]?.vms.push(9000);
    const changed = await pool().update(made, { id: "shared", comment: "x" });
    expect(pools()["shared"]?.vms).toEqual([9000]);
    await expect(pool().destroy(changed)).rejects.toThrow(/contains VM 9000\. Nothing was changed/);
    pools()["shared"]?.vms.pop();
    await pool().destroy(changed);
  });

  test("with other storages and pools in it is not destroyed, and all of them are named", async () => {
    const made = await pool().create({ id: "full" });
    pools()["full"]?.storage.push("ceph");
    pools()["full/inner"] = { vms: [], storage: [] };
    await expect(pool().destroy(made)).rejects.toThrow(/contains storage `ceph`, pool `full\/inner`/);
    expect(pools()["full"]?.storage).toEqual(["ceph"]);
    delete pools()["full/inner"];
    delete pools()["full"];
  });

  test("inside another requires that one, which the same plan may create", async () => {
    await expect(pool().plan(null, { id: "outer/inner" })).rejects.toThrow(/Pool `outer` does not exist/);
    const outer = await pool().create({ id: "outer" });
    const inner = await pool().create({ id: "outer/inner" });
    await pool().destroy(inner);
    await pool().destroy(outer);
    await bench.restart();
    await pool().plan(null, { id: "outer" });
    await pool().plan(null, { id: "outer/inner" });
  });

  test("counts as existing for VMs of the same plan", async () => {
    const vm = { name: "in-pool", clone: { template: "debian-13-cloud" }, pool: "coming" };
    await expect(bench.resource("proxmox_vm").plan(null, vm)).rejects.toThrow(/Pool `coming` does not exist/);
    await bench.configure();
    await pool().plan(null, { id: "coming" });
    await bench.resource("proxmox_vm").plan(null, vm);
  });

  test("is imported by its name and left as it is", async () => {
    pools()["old"] = { comment: "c", vms: [9001], storage: ["nas"] };
    const imported = await pool().import({ id: "old" });
    expect(attribute(imported, "storages")).toEqual(["nas"]);
    await pool().expectSettled(imported, writable(pool(), imported));
    await pool().expectSettled(imported, { id: "old", comment: "c" });
    expect(pools()["old"]).toEqual({ comment: "c", vms: [9001], storage: ["nas"] });
    delete pools()["old"];
  });

  test("that was deleted is created again", async () => {
    const made = await pool().create({ id: "lost" });
    delete pools()["lost"];
    expect(await pool().find(made)).toBeNull();
  });
});

describe("an existing pool", () => {
  test("is refused in the plan, with its import block", async () => {
    pools()["there"] = { vms: [], storage: [] };
    await expect(pool().plan(null, { id: "there" })).rejects.toThrow(
      /Pool "there" exists already[\s\S]*import \{\n {2}to = proxmox_pool\.NAME\n {2}id = "there"/,
    );
    delete pools()["there"];
  });

  test("is refused at apply if another client was faster", async () => {
    const plan = await pool().plan(null, { id: "raced" });
    pools()["raced"] = { vms: [], storage: [] };
    await expect(pool().apply(plan)).rejects.toThrow(/exists already/);
    expect(pools()["raced"]).toBeDefined();
    delete pools()["raced"];
  });
});

describe("a lost response", () => {
  test.each([
    ["after the work was done", 1 as const],
    ["before anything was done", undefined],
  ])("%s leaves neither an orphan nor a false success", async (_, after) => {
    bench.simulator.faults.order({ do: "answer", call: "POST /pools", status: 596, ...(after && { after }) });
    const making = pool().create({ id: "unsure" });
    if (after) {
      await pool().destroy(await making);
    } else {
      await expect(making).rejects.toThrow(/The answer was lost/);
      await expect(making).rejects.toMatchObject({ remains: null });
    }
    expect(pools()["unsure"]).toBeUndefined();
  });
});

test.each([
  ["a name that begins with a digit", { id: "1pool" }, /begins with a letter/],
  ["a name with a blank", { id: "my pool" }, /letters, digits/],
  ["four levels", { id: "a/b/c/d" }, /three levels/],
  ["an empty comment", { id: "ok", comment: "" }, /leave it out/],
  ["a comment that PVE would trim", { id: "ok", comment: "x " }, /blank/],
  ["an unknown storage", { id: "ok", storages: ["cepf"] }, /Storage `cepf` does not exist[\s\S]*`ceph`/],
])("%s is refused", async (_, config, message) => {
  await expect(pool().plan(null, config)).rejects.toThrow(message);
});

test("a caller without the privilege to create pools gets a message in the plan", async () => {
  await bench.restart("terraform@pve!tf");
  await expect(pool().plan(null, { id: "mine", storages: ["ceph"] })).rejects.toThrow(
    /\/pool\/mine: Pool\.Allocate[\s\S]*\/storage\/ceph: Datastore\.Allocate/,
  );
});
