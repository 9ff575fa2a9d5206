import { describe, expect, it } from "vitest";
import { Core, refuse } from "../core.ts";
import { Cloud, cloud } from "../machine.ts";

const TYPE = "cloud_machine";

function cpuMilliseconds(since: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(since);
  return (user + system) / 1_000;
}

/**
 * Limits are ten times what is needed, and in processor time: they catch quadratic behaviour, whatever else the machine
 * is doing.
 */
describe("the framework keeps up", () => {
  it("with a string of six megabytes", async () => {
    const core = await Core.start(cloud(new Cloud()));
    const started = process.cpuUsage();
    const { diagnostics } = await core.plan(TYPE, { name: "web", size: "1G", note: "ä".repeat(3_000_000) });
    refuse(diagnostics);
    expect(cpuMilliseconds(started)).toBeLessThan(5_000);
  });

  it("with a thousand resources", async () => {
    const core = await Core.start(cloud(new Cloud()));
    const disks = Object.fromEntries(Array.from({ length: 20 }, (_, slot) => [`scsi${slot}`, { size: "1G" }]));
    const started = process.cpuUsage();
    for (let index = 0; index < 1_000; index++) {
      const plan = await core.plan(TYPE, { name: `web-${index}`, size: "1G", tags: ["a", "b"], disks });
      refuse((await core.apply(TYPE, plan)).diagnostics);
    }
    expect(cpuMilliseconds(started)).toBeLessThan(30_000);
  }, 600_000);
});
