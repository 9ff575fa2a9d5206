import { describe, expect, test } from "vitest";
import { lab, labSeed } from "../lab.ts";

describe("Ceph pools of a seed with Ceph", () => {
  const at = lab({ ...labSeed, ceph: { pools: [{ name: "vms", size: 3 }] } });

  test("are created, changed and removed by tasks", async () => {
    expect(await at.run("POST /nodes/pve1/ceph/pool", { name: "fast", size: 2, pg_num: 64 })).toBe("OK");
    expect(await at.run("POST /nodes/pve1/ceph/pool", { name: "fast" })).toMatch(/already exists/);
    expect(await at.run("PUT /nodes/pve1/ceph/pool/fast", { min_size: 1 })).toBe("OK");
    expect(await at.ask("GET /nodes/pve2/ceph/pool/fast/status")).toMatchObject({ size: 2, min_size: 1, pg_num: 64 });
    expect(await at.run("DELETE /nodes/pve1/ceph/pool/fast")).toBe("OK");
    expect(await at.ask("GET /nodes/pve1/ceph/pool")).toMatchObject([{ pool_name: "vms", size: 3 }]);
  });

  test("flags change the health", async () => {
    expect(await at.ask("GET /cluster/ceph/status")).toMatchObject({ health: { status: "HEALTH_OK" } });
    await at.ask("PUT /cluster/ceph/flags/noout", { value: 1 });
    expect(await at.ask("GET /cluster/ceph/flags/noout")).toBe(1);
    expect(await at.run("PUT /cluster/ceph/flags", { noout: 0, pause: 1 })).toBe("OK");
    expect(await at.ask("GET /cluster/ceph/status")).toMatchObject({ health: { status: "HEALTH_WARN" } });
  });

  test("daemons are not simulated", async () => {
    expect(await at.ask("GET /nodes/pve1/ceph/osd")).toMatch(/^501/);
  });
});
