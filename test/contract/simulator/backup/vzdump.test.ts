import { describe, expect, test } from "vitest";
import { lab, labSeed } from "../lab.ts";

const { ask, run } = lab({
  ...labSeed,
  acl: [...labSeed.acl, { path: "/storage/local", type: "user", ugid: "owner@pve", roleid: "PVEDatastoreUser" }],
  pools: [{ poolid: "web" }],
  backups: [
    { volid: "local:backup/vzdump-qemu-700-2026_01_05-01_00_00.vma.zst", config: { name: "old", memory: 64 } },
    { volid: "local:backup/vzdump-qemu-700-2026_01_05-02_00_00.vma.zst" },
    { volid: "local:backup/vzdump-qemu-700-2026_01_12-01_00_00.vma.zst" },
    { volid: "local:backup/vzdump-qemu-700-2026_01_13-01_00_00.vma.zst", protected: true },
    { volid: "local:backup/vzdump-qemu-700-old.vma" },
  ],
});

interface Backup {
  volid: string;
  notes?: string;
  protected?: 1;
  format: string;
}

const backups = async (vmid: number) =>
  (await ask("GET /nodes/pve1/storage/local/content", { content: "backup", vmid })) as Backup[];
const back = (more: Record<string, string | number> = {}) => run("POST /nodes/pve1/vzdump", { vmid: 200, ...more });
const restore = (more: Record<string, string | number>) => run("POST /nodes/pve1/qemu", more);
const config = async (vmid: number) => (await ask(`GET /nodes/pve1/qemu/${vmid}/config`)) as Record<string, unknown>;

describe("a backup", () => {
  test("comes back as the VM that was backed up", async () => {
    const before = await config(200);
    expect(await back({ compress: "zstd", storage: "local", "notes-template": "{{guestname}}\\n{{cluster}}" })).toBe(
      "OK",
    );
    const [backup] = await backups(200);
    expect(backup).toMatchObject({ format: "vma.zst", notes: "web" });
    expect(await restore({ vmid: 210, archive: backup?.volid ?? "", name: "copy" })).toBe("OK");
    expect(await config(210)).toMatchObject({
      ...before,
      name: "copy",
      scsi0: "thin:vm-210-disk-0,size=10G",
      digest: expect.any(String),
    });
  });

  test("locks the guest while it is made and only then", async () => {
    const task = back();
    await expect.poll(() => ask("GET /nodes/pve1/qemu/200/config")).toMatchObject({ lock: "backup" });
    expect(await task).toBe("OK");
    expect(await config(200)).not.toHaveProperty("lock");
  });

  test("of a guest that is locked fails, and the job goes on", async () => {
    await ask("PUT /nodes/pve1/qemu/900/config", { lock: "clone" }, "root@pam!admin");
    expect(await run("POST /nodes/pve1/vzdump", { vmid: "200,777" })).toBe("job errors");
    expect(await backups(200)).toHaveLength(1);
  });

  test("over a VM keeps the disks that it does not know", async () => {
    await back();
    await ask("PUT /nodes/pve1/qemu/200/config", { scsi1: "thin:1" });
    const [backup] = await backups(200);
    expect(await restore({ vmid: 200, archive: backup?.volid ?? "", force: 1 })).toBe("OK");
    expect(await config(200)).toMatchObject({ unused0: "thin:vm-200-disk-1", scsi0: "thin:vm-200-disk-0,size=10G" });
  });

  test("keeps a disk without backup as a comment", async () => {
    await ask("PUT /nodes/pve1/qemu/200/config", { scsi1: "thin:1,backup=0", description: "mine" });
    await back();
    const [backup] = await backups(200);
    await restore({ vmid: 211, archive: backup?.volid ?? "" });
    expect(await config(211)).toMatchObject({ description: "mine\nscsi1: thin:vm-200-disk-1,backup=0,size=1G" });
  });

  test("is limited where nothing is removed", async () => {
    await back();
    expect(await back({ "prune-backups": "keep-last=1", remove: 0 })).toBe("job errors");
    expect(await backups(200)).toHaveLength(1);
  });

  test("needs the right to back up, and its template known variables", async () => {
    expect(
      await ask("POST /nodes/pve1/vzdump", { vmid: 200, storage: "local", "notes-template": "{{name}}" }),
    ).toContain("notes-template: found unknown: variable 'name'");
    expect(await run("POST /nodes/pve1/vzdump", { vmid: 201 }, "owner@pve!tk")).toBe("OK"); // on another node: nothing to do
    expect(await run("POST /nodes/pve1/vzdump", { vmid: 900 }, "owner@pve!tk")).toBe(
      "403 Permission check failed (/vms/900, VM.Backup)",
    );
  });
});

describe("pruning", () => {
  const marks = async (keep: string) => {
    const list = (await ask("GET /nodes/pve1/storage/local/prunebackups", { "prune-backups": keep })) as {
      volid: string;
      mark: string;
    }[];
    return list.map(({ volid, mark }) => [volid.replace(/^.*-700-/, "").replace(/\.vma.*/, ""), mark]);
  };

  test("counts periods, and leaves alone what is protected or renamed", async () => {
    expect(await marks("keep-weekly=2")).toEqual([
      ["2026_01_05-01_00_00", "remove"],
      ["2026_01_05-02_00_00", "keep"],
      ["2026_01_12-01_00_00", "keep"],
      ["2026_01_13-01_00_00", "protected"],
      ["old", "renamed"],
    ]);
    expect(await marks("keep-last=1,keep-hourly=1")).toEqual([
      ["2026_01_05-01_00_00", "remove"],
      ["2026_01_05-02_00_00", "keep"],
      ["2026_01_12-01_00_00", "keep"],
      ["2026_01_13-01_00_00", "protected"],
      ["old", "renamed"],
    ]);
  });

  test("removes what it marked", async () => {
    expect(await run("DELETE /nodes/pve1/storage/local/prunebackups", { "prune-backups": "keep-last=1" })).toBe("OK");
    expect((await backups(700)).map(({ volid }) => volid.replace(/^.*-700-/, ""))).toEqual([
      "2026_01_12-01_00_00.vma.zst",
      "2026_01_13-01_00_00.vma.zst",
      "old.vma",
    ]);
  });
});

describe("protection", () => {
  test("is for as many backups of a guest as the storage allows", async () => {
    await ask("PUT /storage/local", { "max-protected-backups": 1 });
    const path = "/nodes/pve1/storage/local/content";
    expect(await ask(`PUT ${path}/local:backup/vzdump-qemu-700-2026_01_05-01_00_00.vma.zst`, { protected: 1 })).toBe(
      "500 The number of protected backups per guest is limited to 1 on storage 'local'",
    );
    expect(
      await ask(`PUT ${path}/local:backup/vzdump-qemu-700-2026_01_13-01_00_00.vma.zst`, { protected: 1 }),
    ).toBeNull();
  });
});

describe("a seeded backup", () => {
  test("holds the configuration it was seeded with", async () => {
    const volume = "local:backup/vzdump-qemu-700-2026_01_05-01_00_00.vma.zst";
    expect(await ask("GET /nodes/pve1/vzdump/extractconfig", { volume })).toBe("memory: 64\nname: old\n");
    expect(await restore({ vmid: 700, archive: volume })).toBe("OK");
    expect(await config(700)).toMatchObject({ name: "old", memory: "64" });
  });
});

describe("jobs", () => {
  test("tell when they run next, and only in the list", async () => {
    await ask("POST /cluster/backup", { id: "night", schedule: "daily", all: 1, "prune-backups": "keep-last=2" });
    const [job] = (await ask("GET /cluster/backup")) as { "next-run": number }[];
    expect(job).toMatchObject({ id: "night", "prune-backups": { "keep-last": "2" } });
    expect((job?.["next-run"] ?? 0) % 86_400).toBe(0);
    expect(await ask("GET /cluster/backup/night")).not.toHaveProperty("next-run");
    expect(await ask("GET /cluster/backup-info/not-backed-up")).toEqual([]);
  });

  test("cover the guests of a pool", async () => {
    await ask("PUT /pools/web", { vms: "200" });
    await ask("POST /cluster/backup", { id: "pool", schedule: "daily", pool: "web" });
    expect(await ask("GET /cluster/backup/pool/included_volumes")).toMatchObject({
      children: [{ id: 200, name: "web", children: [{ id: "200:scsi0", included: 1 }] }],
    });
    expect(
      ((await ask("GET /cluster/backup-info/not-backed-up")) as { vmid: number }[]).map(({ vmid }) => vmid),
    ).toEqual([201, 900]);
  });
});
