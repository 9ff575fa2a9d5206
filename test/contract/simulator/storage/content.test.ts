import { describe, expect, test } from "vitest";
import { lab, labSeed } from "../lab.ts";

const { ask, run } = lab({
  ...labSeed,
  roles: { Space: ["Datastore.AllocateSpace"] },
  acl: [
    ...labSeed.acl,
    { path: "/storage/tank", type: "user", ugid: "owner@pve", roleid: "Space" },
    { path: "/storage/thin", type: "user", ugid: "auditor@pve", roleid: "PVEAuditor" },
  ],
});

type Item = Record<string, unknown> & { volid: string };
const content = async (storage: string, query: Record<string, string | number> = {}, token?: string) =>
  (await ask(`GET /nodes/pve1/storage/${storage}/content`, query, token)) as Item[];

const allocate = (storage: string, filename: string, size = "1G", more: Record<string, string> = {}) =>
  ask(`POST /nodes/pve1/storage/${storage}/content`, { filename, vmid: 200, size, ...more });

describe("allocating an image", () => {
  test.each([
    ["thin", "vm-200-data", "thin:vm-200-data"],
    ["thick", "vm-200-data", "thick:vm-200-data"],
    ["tank", "vm-200-data", "tank:vm-200-data"],
    ["ceph", "vm-200-data", "ceph:vm-200-data"],
    ["local", "vm-200-data.qcow2", "local:200/vm-200-data.qcow2"],
    ["share", "vm-200-data.raw", "share:200/vm-200-data.raw"],
  ])("on %s names it %s", async (storage, filename, volid) => {
    expect(await allocate(storage, filename)).toBe(volid);
  });

  test.each([
    ["thin", "data", "500 illegal name 'data' - should be 'vm-200-*'"],
    ["tank", "vm-7-data", "500 illegal name 'vm-7-data' - should be 'vm-200-*'"],
    ["thick", "data", "500 unable to parse lvm volume name 'data'"],
    ["local", "data", "500 unable to parse volume filename 'data'"],
    ["nope", "vm-200-data", "500 storage 'nope' does not exist"],
  ])("on %s refuses the name %s", async (storage, filename, expected) => {
    expect(await allocate(storage, filename)).toBe(expected);
  });

  test("takes a name once", async () => {
    await allocate("local", "vm-200-data.raw");
    expect(await allocate("local", "vm-200-data.raw")).toBe(
      "500 disk image '/var/lib/vz/images/200/vm-200-data.raw' already exists",
    );
  });

  test.each([
    [
      "has one format",
      "vm-200-data.raw",
      { format: "qcow2" },
      "400 Parameter verification failed. | format: different storage formats (qcow2 != raw)",
    ],
    [
      "has a known format",
      "vm-200-data.raw",
      { format: "vdi" },
      "400 Parameter verification failed. | format: value 'vdi' does not have a value in the enumeration 'raw, qcow2, subvol, vmdk'",
    ],
  ])("%s", async (_title, filename, more, expected) => {
    expect(await allocate("local", filename, "1G", more)).toBe(expected);
  });

  test.each([
    ["1G", 2 ** 30],
    ["100M", 100 * 2 ** 20],
    ["4096", 4 * 2 ** 20],
    ["1", 4 * 2 ** 20], // one extent is the least a logical volume has
  ])("of size %s takes %i bytes", async (size, bytes) => {
    await allocate("thin", "vm-200-data", size);
    const [item] = (await content("thin", { vmid: 200 })).filter(({ volid }) => volid === "thin:vm-200-data");
    expect(item).toMatchObject({ size: bytes, format: "raw", content: "images", vmid: 200 });
  });
});

describe("the list", () => {
  test("has each storage's own members", async () => {
    await allocate("tank", "vm-200-a");
    await allocate("ceph", "vm-200-a");
    await allocate("local", "vm-200-a.qcow2");
    expect(await content("tank")).toEqual([
      {
        volid: "tank:vm-200-a",
        name: "vm-200-a",
        parent: null,
        format: "raw",
        content: "images",
        vmid: 200,
        size: 2 ** 30,
      },
    ]);
    expect(Object.keys((await content("ceph"))[0] ?? {}).sort()).toEqual(
      "content format name parent size vmid volid".split(" "),
    );
    expect(Object.keys((await content("local"))[0] ?? {}).sort()).toEqual(
      "content ctime format parent size used vmid volid".split(" "),
    );
    expect(Object.keys((await content("thin"))[0] ?? {}).sort()).toEqual(
      "content ctime format size vmid volid".split(" "),
    );
  });

  test("is filtered by owner and by content", async () => {
    expect((await content("thin", { vmid: 900 })).map(({ volid }) => volid)).toEqual(["thin:base-900-disk-0"]);
    expect(await content("thin", { content: "rootdir" })).toEqual([]);
    expect(await ask("GET /nodes/pve1/storage/thin/content", { content: "films" })).toBe(
      "400 Parameter verification failed. | content: invalid format - invalid content type 'films'",
    );
  });

  test("shows each caller what it may read", async () => {
    expect((await content("thin", {}, "owner@pve!tk")).map(({ volid }) => volid)).toEqual(["thin:vm-200-disk-0"]);
    expect(await content("thin", {}, "auditor@pve!tk")).toEqual([]);
    await allocate("tank", "vm-200-data");
    expect(await content("tank", {}, "owner@pve!tk")).toEqual([]); // may allocate there, but not audit
    expect(await ask("GET /nodes/pve1/storage/thin/content", undefined, "nobody@pve!tk")).toBe(
      "403 Permission check failed (/storage/thin, Datastore.Audit|Datastore.AllocateSpace)",
    );
  });

  test("of a local storage is on one node, of a shared one on all nodes", async () => {
    expect(await ask("GET /nodes/pve2/storage/thin/content")).toEqual([]);
    expect(await ask("GET /nodes/pve1/storage/share/content")).toEqual(
      await ask("GET /nodes/pve2/storage/share/content"),
    );
  });

  test("of a storage that cannot be used is refused", async () => {
    await ask("PUT /storage/tank", { disable: 1 });
    expect(await ask("GET /nodes/pve1/storage/tank/content")).toBe("500 storage 'tank' is disabled");
    await ask("PUT /storage/thin", { nodes: "pve2" });
    expect(await ask("GET /nodes/pve1/storage/thin/content")).toBe(
      "500 storage 'thin' is not available on node 'pve1'",
    );
  });
});

describe("one volume", () => {
  const volume = (id: string) => `/nodes/pve1/storage/thin/content/${id}`;

  test("has its path, size and format", async () => {
    expect(await ask(`GET ${volume("thin:vm-200-disk-0")}`)).toEqual({
      path: "/dev/pve/vm-200-disk-0",
      size: 10 * 2 ** 30,
      used: 0,
      format: "raw",
    });
    expect(await ask(`GET ${volume("vm-200-disk-0")}`)).toMatchObject({ path: "/dev/pve/vm-200-disk-0" });
  });

  test.each([
    [
      "of another storage",
      "tank:vm-200-disk-0",
      "400 Parameter verification failed. | volume: storage ID mismatch (tank != thin)",
    ],
    ["that is none", "1:x", "400 Parameter verification failed. | volume: unable to parse volume ID '1:x'"],
    [
      "that is gone",
      "thin:vm-200-disk-7",
      `500 can't get size of '/dev/pve/vm-200-disk-7':   Failed to find logical volume "pve/vm-200-disk-7"`,
    ],
  ])("%s is refused", async (_title, id, expected) => {
    expect(await ask(`GET ${volume(id)}`)).toBe(expected);
  });

  test("is removed by a task that names the owner", async () => {
    const upid = String(await ask(`DELETE ${volume("thin:vm-200-disk-0")}`));
    expect(upid).toMatch(/:imgdel:200@thin:root@pam!admin:$/);
  });

  test("that is gone already is removed all the same, where the plugin does not mind", async () => {
    expect(await run("DELETE /nodes/pve1/storage/local/content/local:iso/none.iso")).toBe("OK");
    expect(await run("DELETE /nodes/pve1/storage/thin/content/thin:vm-200-disk-9")).toBe("OK");
    expect(await run("DELETE /nodes/pve1/storage/thick/content/thick:vm-200-disk-9")).toBe(
      `lvremove 'big/vm-200-disk-9' error:   Failed to find logical volume "big/vm-200-disk-9"`,
    );
  });

  test("with time to wait is gone when the answer comes", async () => {
    expect(await ask(`DELETE ${volume("thin:vm-200-disk-0")}`, { delay: 5 })).toBeNull();
    expect(await content("thin", { vmid: 200 })).toEqual([]);
  });

  test("has notes only if it is a backup", async () => {
    expect(await ask("PUT /nodes/pve1/storage/local/content/local:iso/a.iso", { notes: "x" })).toBe(
      "500 only backups can have notes",
    );
    expect(await ask(`PUT ${volume("thin:vm-200-disk-0")}`, { notes: "x" })).toContain(
      "500 volume notes are not supported for PVE::Storage::LvmThinPlugin at ",
    );
    expect(await ask(`PUT ${volume("thin:vm-200-disk-0")}`, { protected: 1 })).toBe(
      "500 attribute 'protected' is not supported for storage type 'lvmthin'",
    );
  });

  test("can be removed by some users only", async () => {
    expect(await ask(`DELETE ${volume("thin:vm-200-disk-0")}`, undefined, "owner@pve!tk")).toBe(
      "403 Permission check failed (/storage/thin, Datastore.Allocate)",
    );
  });
});

describe("the status of storages", () => {
  test("of a node says what can be used there", async () => {
    await ask("PUT /storage/thin", { nodes: "pve2" });
    const list = (await ask("GET /nodes/pve1/storage")) as Record<string, unknown>[];
    const thin = list.find(({ storage }) => storage === "thin");
    expect(thin).toEqual({
      storage: "thin",
      type: "lvmthin",
      content: "images,rootdir",
      shared: 0,
      enabled: 0,
      active: 0,
      total: 0,
      used: 0,
      avail: 0,
    });
    expect(list.find(({ storage }) => storage === "share")).toMatchObject({ shared: 1, enabled: 1, active: 1 });
  });

  test.each<[Record<string, string | number>, string[] | string]>([
    [{ content: "iso" }, ["local", "share"]],
    [{ content: "rootdir" }, ["local", "tank", "thin"]],
    [{ target: "pve2" }, ["ceph", "share"]],
    [{ storage: "tank" }, ["tank"]],
    [{ storage: "nope" }, "400 Parameter verification failed. | storage: No such storage."],
  ])("is filtered by %j", async (query, expected) => {
    const found = await ask("GET /nodes/pve1/storage", query);
    expect(Array.isArray(found) ? found.map(({ storage }) => storage).sort() : found).toEqual(expected);
  });

  test("lists the formats on request", async () => {
    const [item] = (await ask("GET /nodes/pve1/storage", { storage: "local", format: 1 })) as Record<string, unknown>[];
    expect(item).toMatchObject({ formats: { supported: ["qcow2", "raw", "subvol", "vmdk"], default: "raw" } });
  });

  test("of one storage that is not there is a bad parameter", async () => {
    expect(await ask("GET /nodes/pve1/storage/nope/status")).toBe(
      "400 Parameter verification failed. | storage: No such storage.",
    );
  });
});
