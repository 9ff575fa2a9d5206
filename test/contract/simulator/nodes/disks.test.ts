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
    expect(await at.run("POST /nodes/pve1/disks/directory", { name: "files", device: "/dev/sdc" })).toBe("OK");
    expect(await at.ask("GET /nodes/pve1/disks/directory")).toMatchObject([{ path: "/mnt/pve/files" }]);
    expect(await at.run("DELETE /nodes/pve1/disks/directory/files")).toBe("OK");
    expect(await at.ask("GET /nodes/pve1/disks/list", { type: "unused" })).toMatchObject([{ devpath: "/dev/sdb" }]);
  });

  test("must be enough for the level", async () => {
    const pool = { name: "raid", devices: "/dev/sdb,/dev/sdc", raidlevel: "raidz" };
    expect(await at.run("POST /nodes/pve1/disks/zfs", pool)).toMatch(/needs at least 3 disks/);
  });
});
