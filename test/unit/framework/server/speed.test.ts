import { describe, expect, it } from "vitest";
import { Core, refuse } from "../core.ts";
import { Cloud, cloud } from "../machine.ts";

const TYPE = "cloud_machine";

/** Limits are ten times what an idle machine with two cores needs: they catch quadratic behaviour, not a slow day. */
describe("the framework keeps up", () => {
  it("with a string of six megabytes", async () => {
    const core = await Core.start(cloud(new Cloud()));
    const started = performance.now();
    const { diagnostics } = await core.plan(TYPE, { name: "web", size: "1G", note: "ä".repeat(3_000_000) });
    refuse(diagnostics);
    expect(performance.now() - started).toBeLessThan(5_000);
  });

  it("with a thousand resources", async () => {
    const core = await Core.start(cloud(new Cloud()));
    const disks = Object.fromEntries(Array.from({ length: 20 }, (_, slot) => [`scsi${slot}`, { size: "1G" }]));
    const started = performance.now();
    for (let index = 0; index < 1_000; index++) {
      const plan = await core.plan(TYPE, { name: `web-${index}`, size: "1G", tags: ["a", "b"], disks });
      refuse((await core.apply(TYPE, plan)).diagnostics);
    }
    expect(performance.now() - started).toBeLessThan(30_000);
  }, 60_000);
});
