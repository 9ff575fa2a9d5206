import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Figures } from "../../../programs/bench/providers/measure.ts";
import { readmeTable, withTable } from "../../../programs/bench/providers/readme-table.ts";

const figures = (contender: string, job: Figures["job"], vms: number, more: Partial<Figures> = {}): Figures => ({
  ...{ contender, job, vms, latencyMs: 5, wallSeconds: 1.234, cpuSeconds: 1, peakBytes: 1, calls: 1_199 },
  ...{ connections: 10, byEndpoint: {}, ...more },
});
const whole = ["ours", "bpg"].flatMap((contender) => [
  ...(["plan", "apply", "destroy"] as const).map((job) => figures(contender, job, 100)),
  figures(contender, "plan", 1),
  // Of another latency: not shown.
  figures(contender, "plan", 100, { latencyMs: 15, calls: 7 }),
]);
const run = { terraform: "1.11.4", date: "2026-01-02" };
const readme = readFileSync(join(import.meta.dirname, "../../../README.md"), "utf8");

test("the table of the README is of one run, and says of which", () => {
  const table = readmeTable({ ...run, figures: whole });
  expect(table.split("\n")).toEqual([
    "| run of 2026-01-02, Terraform 1.11.4 | this provider | bpg |",
    "|---|---|---|",
    "| plan of 100 VMs | 1,199 calls over 10 connections, 1.2 s | 1,199 calls over 10 connections, 1.2 s |",
    "| create 100 VMs by clone | 1,199 calls, 1.2 s | 1,199 calls, 1.2 s |",
    "| destroy 100 VMs | 1,199 calls, 1.2 s | 1,199 calls, 1.2 s |",
    "| plan of one VM | 1.23 s | 1.23 s |",
  ]);
  const written = withTable(readme, table);
  expect(written).toContain(table);
  expect(withTable(written, table)).toBe(written);
  expect(written.split("\n")).toHaveLength(readme.split("\n").length);
});

test.each([
  ["a part of the jobs", whole.filter(({ job }) => job !== "destroy"), /no destroy of 100 VMs of ours/],
  ["one provider", whole.filter(({ contender }) => contender === "ours"), /PEER_PROVIDER/],
])("a run of %s writes none", (_, measured, problem) => {
  expect(() => readmeTable({ ...run, figures: measured })).toThrow(problem);
});

test("the README has at most 120 lines", () => {
  expect(readme.trimEnd().split("\n").length).toBeLessThanOrEqual(120);
});
