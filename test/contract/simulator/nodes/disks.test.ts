import { describe, expect, test } from "vitest";
import { lab, labSeed } from "../lab.ts";

const gibibyte = 1024 ** 3;

describe("disks of a node", () => {
  const disks = ["/dev/sdb", "/dev/sdc"].map((devpath) => ({ devpath, size: 100 * gibibyte }));
  const at = lab({ ...labSeed, nodes: [{ name: "pve1", disks }, { name: "pve2" }] });

  test("become a pool with a storage, and are free again after a removal with clean-up", async () => {
    const pool = { name: "tank2", devices: "/dev/sdb,/dev/sdc", raidlevel: "mirror", add_storage: 1 };
    expect(await at.run("POST /nodes/pve1/disks/zfs", pool)).toBe("OK");
    expect(await at.ask("GET /nodes/pve1/disks/list", { type: "unused" })).toEqual([]);
    expect(await at.ask("GET /storage/tank2")).toMatchObject({ type: "zfspool", pool: "tank2", nodes: "pve1" });
    expect(await at.run("POST /nodes/pve1/disks/lvm", { name: "vg", device: "/dev/sdb" })).toMatch(/already in use/);
    const cleanUp = { "cleanup-disks": 1, "cleanup-config": 1 };
    expect(await at.run("DELETE /nodes/pve1/disks/zfs/tank2", cleanUp)).toBe("OK");
    expect(await at.ask("GET /nodes/pve1/disks/list", { type: "unused" })).toHaveLength(2);
    expect(await at.ask("GET /storage/tank2")).toMatch(/does not exist/);
  });

  test("keep what is on them when a pool is removed without clean-up", async () => {
    const files = { name: "files", device: "/dev/sdc", filesystem: "xfs" };
    expect(await at.run("POST /nodes/pve1/disks/directory", files)).toBe("OK");
    expect(await at.ask("GET /nodes/pve1/disks/directory")).toMatchObject([{ path: "/mnt/pve/files", type: "xfs" }]);
    expect(await at.run("DELETE /nodes/pve1/disks/directory/files")).toBe("OK");
    expect(await at.ask("GET /nodes/pve1/disks/list", { type: "unused" })).toMatchObject([{ devpath: "/dev/sdb" }]);
  });

  test("are shown as Proxmox VE shows them, with the disks of a pool by level", async () => {
    const size = 200 * gibibyte;
    expect(
      await at.run("POST /nodes/pve1/disks/zfs", { name: "tank2", devices: "/dev/sdb,/dev/sdc", raidlevel: "mirror" }),
    ).toBe("OK");
    expect(await at.ask("GET /nodes/pve1/disks/zfs")).toEqual([
      { name: "tank2", size, alloc: 0, free: size, frag: 0, dedup: 1, health: "ONLINE" },
    ]);
    expect(await at.ask("GET /nodes/pve1/disks/zfs/tank2")).toMatchObject({
      name: "tank2",
      state: "ONLINE",
      children: [{ children: [{ name: "mirror-0", children: [{ name: "/dev/sdb" }, { name: "/dev/sdc" }] }] }],
    });
  });

  test("must be enough for the level", async () => {
    const pool = { name: "raid", devices: "/dev/sdb,/dev/sdc", raidlevel: "raidz" };
    expect(await at.run("POST /nodes/pve1/disks/zfs", pool)).toMatch(/needs at least 3 disks/);
  });
});

describe("what a seed has made of disks", () => {
  const pools = [
    { type: "lvm", name: "pve", devices: ["/dev/sda3"], size: 9 },
    { type: "lvmthin", name: "data", vg: "pve", size: 5 },
    { type: "lvmthin", name: "fast", devices: ["/dev/sdb"], size: 7 },
    { type: "zfs", name: "tank", devices: ["a", "b", "c", "d"].map((one) => `/dev/${one}`), raidlevel: "raid10" },
    { type: "directory", name: "media", devices: ["/dev/sde"] },
  ];
  const at = lab({ ...labSeed, nodes: [{ name: "pve1", disk_pools: pools }, { name: "pve2" }] });

  test.each([
    ["lvm", { children: [{ name: "pve", size: 9, children: [{ name: "/dev/sda3" }] }, { name: "fast" }] }],
    [
      "lvmthin",
      [
        { lv: "data", vg: "pve", lv_size: 5 },
        { lv: "fast", vg: "fast" },
      ],
    ],
    ["zfs", [{ name: "tank" }]],
    [
      "zfs/tank",
      {
        children: [
          {
            children: [
              { name: "mirror-0", children: [{ name: "/dev/a" }, { name: "/dev/b" }] },
              { name: "mirror-1", children: [{ name: "/dev/c" }, { name: "/dev/d" }] },
            ],
          },
        ],
      },
    ],
    ["directory", [{ path: "/mnt/pve/media", device: "/dev/sde", type: "ext4" }]],
  ])("is answered: %s", async (path, shown) => {
    expect(await at.ask(`GET /nodes/pve1/disks/${path}`)).toMatchObject(shown);
  });

  test("has its name for itself among its kind", async () => {
    const make = (kind: string, name: string) => at.run(`POST /nodes/pve1/disks/${kind}`, { name, device: "/dev/sdc" });
    expect(await make("lvm", "pve")).toMatch(/already exists/);
    expect(await make("lvmthin", "fast")).toMatch(/already exists/);
    expect(await make("directory", "tank")).toBe("OK");
  });
});
