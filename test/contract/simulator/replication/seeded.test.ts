import { expect, test } from "vitest";
import { lab, labSeed } from "../lab.ts";

const { ask } = lab({
  ...labSeed,
  backup_jobs: [{ id: "night", schedule: "daily", all: 1 }],
  replication_jobs: [{ id: "200-0", target: "pve2" }],
  custom_cpu_models: [{ cputype: "custom-fast", "reported-model": "kvm64" }],
});

test("jobs and processor models of a seed are there from the start", async () => {
  expect(await ask("GET /cluster/backup/night")).toEqual({
    id: "night",
    type: "vzdump",
    enabled: 1,
    schedule: "daily",
    all: 1,
  });
  expect(await ask("GET /cluster/replication/200-0")).toMatchObject({ guest: 200, source: "pve1", target: "pve2" });
  expect(await ask("GET /cluster/qemu/custom-cpu-models/fast")).toMatchObject({ cputype: "custom-fast" });
});
