import { describe, expect, test } from "vitest";
import { lab, labSeed } from "../lab.ts";

const cluster = lab(
  {
    ...labSeed,
    guests: [
      { vmid: 100, config: { name: "db", scsi0: "tank:vm-100-disk-0,size=1G" } },
      { vmid: 101, config: { name: "web", scsi0: "thin:vm-101-disk-0,size=1G" } },
    ],
  },
  120,
);
const { ask, run } = cluster;
const jobs = "/cluster/replication";
const create = (more: Record<string, string | number> = {}) =>
  ask(`POST ${jobs}`, { id: "100-0", type: "local", target: "pve2", ...more });
const copies = async () => ((await ask("GET /nodes/pve2/storage/tank/content", { vmid: 100 })) as unknown[]).length;
const status = async () => (await ask("GET /nodes/pve1/replication/100-0/status")) as Record<string, unknown>;

async function replicate(): Promise<void> {
  await create();
  await ask("POST /nodes/pve1/replication/100-0/schedule_now");
  await expect.poll(copies, { timeout: 20_000 }).toBe(1);
}

describe("replication", () => {
  test("copies the volumes and writes a log of it", async () => {
    await replicate();
    expect(await status()).toMatchObject({ guest: 100, target: "pve2", fail_count: 0, source: "pve1" });
    const log = (await ask("GET /nodes/pve1/replication/100-0/log")) as { t: string }[];
    expect(log.map(({ t }) => t).join("\n")).toContain("100-0: start replication job");
  });

  test("is removed by its next run, copies included", async () => {
    await replicate();
    expect(await ask(`DELETE ${jobs}/100-0`)).toBeNull();
    expect(await ask(`GET ${jobs}/100-0`)).toMatchObject({ remove_job: "full" });
    await expect.poll(() => ask(`GET ${jobs}`), { timeout: 20_000 }).toEqual([]);
    expect(await copies()).toBe(0);
  });

  test("needs volumes that can, and one job for a target", async () => {
    expect(await ask(`POST ${jobs}`, { id: "101-0", type: "local", target: "pve2" })).toBe(
      "500 missing replicate feature on volume 'thin:vm-101-disk-0'",
    );
    expect(await create({ target: "pve1" })).toBe("500 Source and target must not be identical");
    await create();
    expect(await create({ id: "100-1" })).toBe(
      "500 replication job for guest '100' to target 'local/pve2' already exists",
    );
  });

  test("holds a VM that is to be destroyed, unless it is purged", async () => {
    await create();
    expect(await ask("DELETE /nodes/pve1/qemu/100")).toBe(
      "500 There is a replication job '100-0' for guest '100' - Please remove that first.",
    );
    expect(await run("DELETE /nodes/pve1/qemu/100", { purge: 1 })).toBe("OK");
    expect(await ask(`GET ${jobs}`)).toEqual([]);
  });

  test("turns round when the VM moves", async () => {
    await replicate();
    expect(await run("POST /nodes/pve1/qemu/100/migrate", { target: "pve2" })).toBe("OK");
    expect(await ask(`GET ${jobs}/100-0`)).toMatchObject({ source: "pve2", target: "pve1" });
    expect(await ask("GET /nodes/pve2/qemu/100/config")).toMatchObject({ scsi0: "tank:vm-100-disk-0,size=1G" });
  });
});

describe("bulk actions", () => {
  test("start, stop and move guests of the whole cluster", async () => {
    expect(await run("POST /cluster/bulk-action/guest/start")).toBe("OK");
    expect(await run("POST /cluster/bulk-action/guest/start", { vms: 100 })).toBe("WARNINGS: 1");
    expect(await run("POST /cluster/bulk-action/guest/shutdown", { vms: 100 })).toBe("OK");
    expect(await ask("GET /nodes/pve1/qemu/100/status/current")).toMatchObject({ status: "stopped" });
    expect(await run("POST /cluster/bulk-action/guest/migrate", { vms: 100, target: "pve2" })).toBe("OK");
    expect(await ask("GET /nodes/pve2/qemu/100/status/current")).toMatchObject({ status: "stopped" });
  });

  test("of one node need a limit to move everything away", async () => {
    expect(await ask("POST /nodes/pve1/migrateall", { target: "pve2" })).toBe(
      "500 either 'max-workers' parameter or max_workers in datacenter.cfg must be set!",
    );
    expect(await run("POST /nodes/pve1/migrateall", { target: "pve2", maxworkers: 2 })).toBe("OK");
    expect(await ask("GET /nodes/pve1/qemu")).toEqual([]);
  });
});
