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
  let fast: Simulator;
  let slow: Simulator;
  beforeAll(async () => {
    // The recorded host had pve-manager 9.2.11 with pve-network 1.3.0, pve-ha-manager 5.2.0 and an older QEMU.
    const recorded = { seed: fixture, parts: { sdn: "9.1.10", ha: "9.1.12", qemu: "9.1.20" } };
    fast = await startSimulator({ ...recorded, speed: 40 });
    slow = await startSimulator({ ...recorded, speed: 5 });
  });
  afterAll(() => Promise.all([fast.close(), slow.close()]));

  const recorded = scenarios();
  const chosen = process.env["SCENARIOS"]?.split(",") ?? [...recorded.keys()].filter((name) => !notYet.includes(name));
  const differences = async (simulator: Simulator, name: string) => {
    simulator.reset();
    const { hard } = await replay(simulator, recorded.get(name) ?? []);
    return hard.join("\n");
  };
  // A step that has to come while a task runs may come too late on a busy machine; the slow clock then decides.
  test.each(chosen)("%s", { timeout: 60_000 }, async (name) => {
    const atFullSpeed = await differences(fast, name);
    expect(atFullSpeed && (await differences(slow, name))).toBe("");
  });

  test("scenarios that are not replayed are recorded ones", () => {
    expect(notYet.filter((name) => !recorded.has(name))).toEqual([]);
    expect(recorded.size).toBeGreaterThan(80);
  });
});
