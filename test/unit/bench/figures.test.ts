import { describe, expect, test } from "vitest";
import { chart } from "../../../programs/bench/providers/chart.ts";
import { bars, containerBars, exponent, ratio } from "../../../programs/bench/providers/figures.ts";
import type { Figures } from "../../../programs/bench/providers/measure.ts";

const figures = (more: Partial<Figures>): Figures => ({
  contender: "ours",
  job: "plan",
  vms: 100,
  latencyMs: 5,
  wallSeconds: 1,
  cpuSeconds: 1,
  peakBytes: 100e6,
  calls: 104,
  connections: 2,
  byEndpoint: {},
  ...more,
});

describe("how figures grow", () => {
  test.each([
    ["not at all", [5, 5], 0],
    ["in proportion", [10, 100], 1],
    ["with the square", [10, 1_000], 2],
  ])("%s", (_, [before = 0, after = 0], expected) => {
    expect(
      exponent([
        { vms: 10, value: before },
        { vms: 100, value: after },
      ]),
    ).toBeCloseTo(expected);
  });

  test("is unknown from one size", () => {
    expect(exponent([{ vms: 10, value: 1 }])).toBeNull();
  });
});

test("a ratio compares only the same job at the same size and latency", () => {
  const ours = figures({ wallSeconds: 1 });
  const others = [
    figures({ contender: "bpg", wallSeconds: 4 }),
    figures({ contender: "bpg", wallSeconds: 9, vms: 10 }),
    figures({ contender: "bpg", wallSeconds: 9, latencyMs: 0 }),
  ];
  expect(ratio([ours, ...others], ours, ({ wallSeconds }) => wallSeconds)).toBe(0.25);
  expect(ratio([ours], ours, ({ wallSeconds }) => wallSeconds)).toBeNull();
});

test("limits are reported with their measurements, and polling is not counted as creating", () => {
  const created = figures({ job: "apply", vms: 10, calls: 90, byEndpoint: { "GET /nodes/{node}/tasks": 20 } });
  expect(bars([figures({}), created], 0)).toEqual([
    { what: "API calls of a plan of 100 VMs", limit: 105, measured: 104 },
    { what: "calls besides polling to create a VM, of 10", limit: 8, measured: 7 },
  ]);
});

test("the chart shows every job of the largest common size", () => {
  const svg = chart([figures({}), figures({ vms: 1_000 }), figures({ contender: "bpg", wallSeconds: 4 })]);
  expect(svg).toContain("100 VMs");
  expect(svg).toContain("4.0 s, 104 calls");
  expect(svg).not.toContain("1000 VMs");
});

test("containers are compared with the peer's, 20 of them, and their calls are counted", () => {
  const ours = { vms: 20, byEndpoint: { "GET /nodes/{node}/tasks": 20 } };
  const all = [
    figures({ ...ours, wallSeconds: 1 }),
    figures({ ...ours, job: "apply", wallSeconds: 3, calls: 120 }),
    figures({ contender: "bpg", vms: 20, wallSeconds: 2 }),
    figures({ contender: "bpg", vms: 20, job: "apply", wallSeconds: 4 }),
  ];
  expect(containerBars(all)).toEqual([
    { what: "plan of 20 containers at 5 ms, over the peer's", limit: 0.7, measured: 0.5 },
    { what: "apply of 20 containers at 5 ms, over the peer's", limit: 0.7, measured: 0.75 },
    { what: "calls besides polling to create a container, of 20", limit: 6, measured: 5 },
  ]);
});
