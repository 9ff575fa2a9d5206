import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { faultKinds, readFault } from "../../../src/simulator/faults/order.ts";
import { readSeed } from "../../../src/simulator/seed/read-seed.ts";
import { seedProperties } from "../../../src/simulator/seed/seed-schema.ts";
import { createSimulator } from "../../../src/simulator/simulator.ts";

const page = readFileSync(join(import.meta.dirname, "../../../docs/guides/simulator.md"), "utf8");
const examples = [...page.matchAll(/```json\n(.*?)```/gs)].map(([, text = ""]) => JSON.parse(text) as object);
const seeds = examples.filter((example) => !Array.isArray(example));
const faults = examples.filter(Array.isArray).flat() as { do: string }[];

describe("the page about the simulator", () => {
  test.each(seeds.map((seed) => [Object.keys(seed).join(", "), seed]))("has a seed that works: %s", async (_, seed) => {
    expect(() => readSeed(seed)).not.toThrow();
    await createSimulator({ seed }).close();
  });

  test("has an example of every member of a seed that is used", () => {
    const notes = Object.entries(seedProperties).filter(([, schema]) => schema.type === "any");
    const unused = [...notes.map(([name]) => name), "format", "description", "node", "other_nodes"];
    const shown = new Set(seeds.flatMap((seed) => Object.keys(seed)));
    expect(Object.keys(seedProperties).filter((name) => !shown.has(name) && !unused.includes(name))).toEqual([]);
  });

  test("has an example of every fault, and each can be ordered", () => {
    expect(faults.map((fault) => fault.do).sort()).toEqual([...faultKinds].sort());
    for (const fault of faults) {
      expect(readFault(fault, "fault")).toMatchObject({ do: fault.do });
      expect(page).toContain(`\`${fault.do}\``);
    }
  });
});
