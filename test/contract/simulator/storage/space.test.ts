import { describe, expect, test } from "vitest";
import { lab, labSeed } from "../lab.ts";

const GiB = 2 ** 30;
const small = { total_bytes: 10 * GiB, avail_bytes: 4 * GiB };
const cluster = lab(
  {
    ...labSeed,
    storages: [
      {
        storage: "local",
        type: "dir",
        path: "/var/lib/vz",
        content: ["iso", "vztmpl", "backup", "images", "import"],
        ...small,
        // Beside the image of 3 GiB.
        avail_bytes: GiB,
      },
      {
        storage: "thin",
        type: "lvmthin",
        vgname: "pve",
        thinpool: "data",
        content: ["images"],
        lock_seconds: 4,
        ...small,
      },
      { storage: "thick", type: "lvm", vgname: "big", content: ["images"], ...small },
      { storage: "tank", type: "zfspool", pool: "tank", content: ["images"], ...small },
      {
        storage: "gone",
        type: "nfs",
        path: "/mnt/pve/gone",
        server: "192.0.2.9",
        export: "/e",
        content: ["images"],
        active: 0,
      },
    ],
    volumes: { local: [{ volume: "100/vm-100-disk-0.raw", size: "8G", used: "3G" }] },
    guests: [{ vmid: 900, config: { name: "golden", template: 1, scsi0: "thin:base-900-disk-0,size=2G" } }],
  },
  100,
);
const { ask, run } = cluster;
const create = (vmid: number, scsi0: string) => run("POST /nodes/pve1/qemu", { vmid, scsi0 });
const used = async (storage: string) =>
  ((await ask(`GET /nodes/pve1/storage/${storage}/status`)) as { used: number }).used;

describe("a storage that runs full", () => {
  test("refuses thick volumes in the words of its tools", async () => {
    expect(await create(110, "thick:3")).toBe("OK");
    expect(await used("thick")).toBe(9 * GiB);
    expect(await create(111, "thick:3")).toBe(
      `unable to create VM 111 - lvcreate 'big/vm-111-disk-0' error:   Volume group "big" has insufficient free space (256 extents): 768 required.`,
    );
    expect(await create(112, "tank:5")).toBe(
      "unable to create VM 112 - zfs error: cannot create 'tank/vm-112-disk-0': out of space",
    );
    expect(await run("PUT /nodes/pve1/qemu/110/resize", { disk: "scsi0", size: "+2G" })).toContain(
      "Insufficient free space: 512 extents needed, but only 256 available",
    );
  });

  test("takes thin volumes of any size, and their data while there is room", async () => {
    expect(await create(113, "local:500")).toBe("OK");
    expect(await used("local")).toBe(9 * GiB);
    const copy = (vmid: number) => create(vmid, "local:0,import-from=local:100/vm-100-disk-0.raw");
    expect(await copy(114)).toContain("failed: exit code 1");
    expect(await create(115, "thin:0,import-from=local:100/vm-100-disk-0.raw")).toBe("OK");
    expect(await used("thin")).toBe(9 * GiB);
  });

  test("takes no more files", async () => {
    const download = (filename: string) =>
      run("POST /nodes/pve1/storage/local/download-url", {
        content: "iso",
        filename,
        url: "https://images.example/a.iso",
      });
    expect(await download("a.iso")).toBe("OK");
    expect(await download("b.iso")).toMatch(
      /^download failed: Cannot write to ‘\/var\/lib\/vz\/template\/iso\/b\.iso\.tmp_dwnl\.\d+’ \(No space left on device\)\.$/,
    );
  });
});

describe("the lock of a storage", () => {
  test("is awaited by clones that start at the same time, for a limited time", async () => {
    const ids = Array.from({ length: 20 }, (_, index) => 120 + index);
    const clones = ids.map((newid) => run("POST /nodes/pve1/qemu/900/clone", { newid }));
    const ends = await Promise.all(clones);
    expect(ends.filter((end) => end === "OK").length).toBeGreaterThan(1);
    expect(ends.find((end) => end !== "OK")).toBe(
      "clone failed: can't lock file '/var/lock/pve-manager/pve-storage-thin' - got timeout",
    );
    const logs = cluster.simulator.sim.world.tasks.map(({ log }) => log.join("\n"));
    expect(logs.some((log) => log.includes("trying to acquire lock...\n OK"))).toBe(true);
  });
});

describe("a storage that does not answer", () => {
  test("stays in the list and cannot be used", async () => {
    expect(await ask("GET /nodes/pve1/storage/gone/status")).toMatchObject({ enabled: 1, active: 0, total: 0 });
    expect(await ask("GET /nodes/pve1/storage/gone/content")).toBe("500 storage 'gone' is not online");
    expect(await create(130, "gone:1")).toBe("unable to create VM 130 - storage 'gone' is not online");
  });
});

describe("the Internet", () => {
  test("has a file of one size, and wget says what it did", async () => {
    const url = "https://templates.example/debian.tar.zst";
    const { size } = (await ask("GET /nodes/pve1/query-url-metadata", { url })) as { size: number };
    const order = { content: "vztmpl", filename: "debian.tar.zst", url };
    await run("POST /nodes/pve1/storage/local/download-url", order);
    const [file] = (await ask("GET /nodes/pve1/storage/local/content", { content: "vztmpl" })) as { size: number }[];
    expect(file?.size).toBe(size);
    await run("POST /nodes/pve1/storage/local/download-url", { ...order, filename: "x.tar.zst", url: "http://none/x" });
    const log = cluster.simulator.sim.world.tasks.at(-1)?.log ?? [];
    expect(log.slice(1)).toEqual([
      expect.stringMatching(/^--\d{4}-\d\d-\d\d \d\d:\d\d:\d\d-- {2}http:\/\/none\/x$/),
      "Resolving none (none)... failed: Name or service not known.",
      "TASK ERROR: download failed: wget: unable to resolve host address ‘none’",
    ]);
  });
});

describe("volumes", () => {
  test("may belong to numbers that no guest has, and be attached to one", async () => {
    const volid = await ask("POST /nodes/pve1/storage/thick/content", {
      vmid: 9999,
      filename: "vm-9999-data",
      size: "1G",
    });
    expect(volid).toBe("thick:vm-9999-data");
    expect(await run("POST /nodes/pve1/qemu", { vmid: 140, scsi1: "thick:vm-9999-data" })).toBe("OK");
    expect(await run("DELETE /nodes/pve1/qemu/140")).toBe("OK");
    expect(await ask("GET /nodes/pve1/storage/thick/content", { vmid: 9999 })).toHaveLength(1);
  });
});
