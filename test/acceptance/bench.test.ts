import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Cluster, startCluster } from "../../programs/bench/providers/cluster.ts";
import { contenders } from "../../programs/bench/providers/contenders.ts";
import { type Figures, measureLife } from "../../programs/bench/providers/measure.ts";
import { startDelayProxy, type Wire } from "../../programs/bench/providers/wire.ts";
import { findBinaries } from "../../src/cli/terraform-binaries.ts";
import { buildProvider } from "./cluster-workspace.ts";

const [binary] = findBinaries();

/** A small `npm run bench`: its counts must not depend on the machine. */
describe.runIf(binary).each([
  { guests: "vms", most: 8 },
  { guests: "containers", most: 6 },
] as const)("four $guests in the benchmark", ({ guests, most }) => {
  let cluster: Cluster;
  let wire: Wire;
  let figures: Figures[];

  beforeAll(async () => {
    cluster = await startCluster({ pools: 10, speed: 100 });
    wire = await startDelayProxy(cluster.port, 2);
    const [ours] = await contenders({ OUR_PROVIDER: (await buildProvider()).path }, guests);
    if (!ours || !binary) throw new Error("nothing to measure");
    const setting = { vms: 4, latencyMs: 2, parallelism: 10 };
    figures = await measureLife(binary, ours, { cluster, wire }, setting);
  });
  afterAll(() => {
    wire.close();
    cluster.close();
  });

  const of = (job: Figures["job"]): Figures => figures.find((one) => one.job === job) ?? expect.fail(`no ${job}`);

  test(`are created with ${most} calls each besides polling, and two for all`, () => {
    const { calls, byEndpoint } = of("apply");
    expect(calls - (byEndpoint["GET /nodes/{node}/tasks"] ?? 0)).toBeLessThanOrEqual(4 * most + 2);
  });

  test.each(["plan", "refresh"] as const)("are read with one call each and five for all: %s", (job) => {
    expect(of(job).calls).toBeLessThanOrEqual(4 + 5);
    expect(of(job).connections).toBeLessThanOrEqual(5);
  });

  test("are measured with the time and memory of the provider", () => {
    expect(of("plan").wallSeconds).toBeGreaterThan(0);
    if (process.platform === "linux") {
      expect(of("plan").peakBytes).toBeGreaterThan(20e6);
      expect(of("plan").cpuSeconds).toBeGreaterThan(0);
    }
  });
});
