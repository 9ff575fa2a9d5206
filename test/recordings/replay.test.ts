import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Simulator, startSimulator } from "../../src/simulator/simulator.ts";
import { notYet } from "./not-yet.ts";
import { fixture, scenarios } from "./recording.ts";
import { replay } from "./replay.ts";

/**
 * Answers recorded from the API code of Proxmox VE 9.2 itself, scenario by scenario. Names in SCENARIOS (separated by
 * commas) choose some of them.
 */
describe("the simulator answers as Proxmox VE 9.2 did", () => {
  let simulator: Simulator;
  beforeAll(async () => {
    simulator = await startSimulator({ seed: fixture, speed: 40 });
  });
  afterAll(() => simulator.close());

  const recorded = scenarios();
  const chosen = process.env["SCENARIOS"]?.split(",") ?? [...recorded.keys()].filter((name) => !notYet.includes(name));
  test.each(chosen)("%s", async (name) => {
    simulator.reset();
    const { hard } = await replay(simulator, recorded.get(name) ?? []);
    expect(hard.join("\n")).toBe("");
  });

  test("scenarios that are not replayed are recorded ones", () => {
    expect(notYet.filter((name) => !recorded.has(name))).toEqual([]);
    expect(recorded.size).toBeGreaterThan(80);
  });
});
