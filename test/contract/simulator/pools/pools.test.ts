import { describe, expect, test } from "vitest";
import { lab, labSeed } from "../lab.ts";

const { ask } = lab({
  ...labSeed,
  acl: [
    ...labSeed.acl,
    { path: "/pool/mine", type: "user", ugid: "owner@pve", roleid: "PVEPoolAdmin" },
    { path: "/pool/theirs", type: "user", ugid: "owner@pve", roleid: "PVEPoolUser" },
  ],
  pools: [
    { poolid: "mine", comment: "ours" },
    { poolid: "theirs", vms: [201] },
  ],
});

const owner = "owner@pve!tk";

describe("a new pool", () => {
  test.each<[string, Record<string, string>, unknown]>([
    ["is answered with nothing", { poolid: "p1", comment: "c" }, null],
    ["has a name of its own", { poolid: "mine" }, "500 create pool failed: pool 'mine' already exists"],
    ["starts with a letter", { poolid: "1p" }, "500 create pool failed: pool name must start with a letter"],
    [
      "starts with a letter below another, too",
      { poolid: "mine/1p" },
      "500 create pool failed: pool name must start with a letter",
    ],
    ["needs its parent", { poolid: "a/b" }, "500 create pool failed: parent 'a' of pool 'a/b' does not exist"],
    ["may be below another", { poolid: "mine/sub" }, null],
    [
      "is at most three levels deep",
      { poolid: "a/b/c/d" },
      "400 Parameter verification failed. | poolid: invalid format - pool name 'a/b/c/d' nested too deeply (max levels = 3)",
    ],
    ["has plain characters", { poolid: "a b" }, "403 Permission check failed (, Pool.Allocate)"],
  ])("%s", async (_, form, expected) => {
    expect(await ask("POST /pools", form)).toEqual(expected);
  });

  test("needs the right to allocate it", async () => {
    expect(await ask("POST /pools", { poolid: "p1" }, owner)).toBe(
      "403 Permission check failed (/pool/p1, Pool.Allocate)",
    );
    expect(await ask("POST /pools", { poolid: "mine/sub" }, owner)).toBeNull();
  });
});

describe("membership", () => {
  test("is shown with what the cluster knows of each member", async () => {
    expect(await ask("PUT /pools", { poolid: "mine", vms: "200", storage: "thin,share" })).toBeNull();
    const [pool] = (await ask("GET /pools", { poolid: "mine" })) as { members: Record<string, unknown>[] }[];
    expect(pool).toMatchObject({ poolid: "mine", comment: "ours" });
    expect(pool?.members.map(({ id }) => id)).toEqual(["qemu/200", "storage/pve1/share", "storage/pve1/thin"]);
    expect(pool?.members[0]).toMatchObject({
      type: "qemu",
      vmid: 200,
      name: "web",
      status: "stopped",
      maxdisk: 10 * 2 ** 30,
    });
    expect(await ask("GET /pools", { poolid: "mine", type: "storage" })).toMatchObject([{ members: [{}, {}] }]);
    expect(await ask("GET /pools/mine", { type: "lxc" })).toMatchObject({ members: [] });
  });

  test.each<[string, Record<string, string | number>, unknown]>([
    [
      "is exclusive",
      { poolid: "mine", vms: "201" },
      "500 update pools failed: VM 201 belongs already to pool 'theirs' and 'allow-move' is not set",
    ],
    ["can be moved on request", { poolid: "mine", vms: "201", "allow-move": 1 }, null],
    ["is had once", { poolid: "theirs", vms: "201" }, "500 update pools failed: VM 201 is already a pool member"],
    [
      "ends only where it began",
      { poolid: "mine", vms: "201", delete: 1 },
      "500 update pools failed: VM 201 is not a pool member",
    ],
    ["ends", { poolid: "theirs", vms: "201", delete: 1 }, null],
    [
      "of storages, likewise",
      { poolid: "mine", storage: "thin", delete: 1 },
      "500 update pools failed: Storage 'thin' is not a pool member",
    ],
    ["needs a pool", { poolid: "none", vms: "200" }, "500 update pools failed: pool 'none' does not exist"],
  ])("%s", async (_, form, expected) => {
    expect(await ask("PUT /pools", form)).toEqual(expected);
  });

  test("is all or nothing", async () => {
    expect(await ask("PUT /pools", { poolid: "mine", vms: "200,201", comment: "new" })).toContain("belongs already");
    expect(await ask("GET /pools", { poolid: "mine" })).toMatchObject([{ comment: "ours", members: [] }]);
  });

  test("is the business of who may change the member's rights", async () => {
    expect(await ask("PUT /pools", { poolid: "mine", vms: "201" }, owner)).toBe(
      "500 update pools failed: 403 Permission check failed (/vms/201, Permissions.Modify|VM.Allocate)",
    );
    expect(await ask("PUT /pools", { poolid: "mine", vms: "200" }, owner)).toBeNull();
    expect(await ask("PUT /pools/theirs", { vms: "200" }, owner)).toBe(
      "403 Permission check failed (/pool/theirs, Pool.Allocate)",
    );
  });

  test("reaches /cluster/resources at once", async () => {
    await ask("PUT /pools", { poolid: "mine", vms: "200" });
    expect(await ask("GET /cluster/resources", { type: "vm" })).toContainEqual(
      expect.objectContaining({ vmid: 200, pool: "mine" }),
    );
  });
});

describe("the list", () => {
  test("has the pools a caller may see, without their members", async () => {
    expect(await ask("GET /pools", undefined, owner)).toEqual([
      { poolid: "mine", comment: "ours" },
      { poolid: "theirs" },
    ]);
    expect(await ask("GET /pools", undefined, "nobody@pve!tk")).toEqual([]);
  });

  test("of one pool forgets to check who asks; the older form does not", async () => {
    expect(await ask("GET /pools", { poolid: "theirs" }, "nobody@pve!tk")).toMatchObject([{ poolid: "theirs" }]);
    expect(await ask("GET /pools/theirs", undefined, "nobody@pve!tk")).toBe(
      "403 Permission check failed (/pool/theirs, Pool.Audit)",
    );
  });

  test("knows no members without a pool", async () => {
    expect(await ask("GET /pools", { type: "lxc" })).toBe(
      "400 Parameter verification failed. | poolid: missing property required by 'type'",
    );
  });
});

describe("removal", () => {
  test("is of empty pools only", async () => {
    await ask("POST /pools", { poolid: "mine/sub" });
    expect(await ask("DELETE /pools", { poolid: "mine" })).toBe(
      "500 delete pool failed: pool 'mine' is not empty (contains pool 'mine/sub')",
    );
    expect(await ask("DELETE /pools/theirs")).toBe(
      "500 delete pool failed: pool 'theirs' is not empty (contains VM 201)",
    );
    await ask("PUT /pools", { poolid: "mine/sub", storage: "thin" });
    expect(await ask("DELETE /pools", { poolid: "mine/sub" })).toBe(
      "500 delete pool failed: pool 'mine/sub' is not empty (contains storage 'thin')",
    );
  });

  test("takes the rights on the pool along", async () => {
    expect(await ask("DELETE /pools", { poolid: "mine" })).toBeNull();
    await ask("POST /pools", { poolid: "mine" });
    expect(await ask("GET /pools", undefined, owner)).toEqual([{ poolid: "theirs" }]);
    expect(await ask("DELETE /pools", { poolid: "none" })).toBe("500 delete pool failed: pool 'none' does not exist");
  });
});
