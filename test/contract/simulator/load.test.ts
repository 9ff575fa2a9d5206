import { expect, test } from "vitest";
import { startSimulator } from "../../../src/simulator/simulator.ts";
import { rootToken } from "./client.ts";
import { mixedLoad } from "./mixed-load.ts";

test("under a mixed load of parallel clients nothing is refused that a real server would not refuse", async () => {
  const simulator = await startSimulator({ speed: 100 });
  const { url, caCertificate, tokens } = simulator;
  const report = await mixedLoad(
    { url, caCertificate, token: tokens[rootToken] ?? "" },
    { clients: 20, requests: 500 },
  );
  await simulator.close();
  expect(report.faults).toEqual([]);
  expect(Object.values(report.calls).reduce((sum, count) => sum + count, 0)).toBe(500);
  // Without clones that succeed and races that are lost, the load would show nothing.
  expect(simulator.sim.world.tasks.filter(({ exitstatus }) => exitstatus === "OK").length).toBeGreaterThan(20);
  expect(Object.keys(report.refusals)).not.toEqual([]);
});
