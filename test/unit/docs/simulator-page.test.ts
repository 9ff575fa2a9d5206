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

/** Paths of what a schema names, without the texts for readers; members of lists count as members of what lists them. */
function namesIn(properties: Readonly<Record<string, unknown>>, before = ""): string[] {
  return Object.entries(properties).flatMap(([name, schema]) => {
    const { type, items, properties: own } = schema as { type: string; items?: object; properties?: object };
    const inner = (items as { properties?: object } | undefined)?.properties ?? own ?? {};
    return type === "any" ? [] : [before + name, ...namesIn(inner as Record<string, unknown>, `${before}${name}.`)];
  });
}

function membersOf(value: unknown, before = ""): string[] {
  if (Array.isArray(value)) {
    return value.flatMap((member) => membersOf(member, before));
  }
  return typeof value !== "object" || value === null
    ? []
    : Object.entries(value).flatMap(([name, member]) => [before + name, ...membersOf(member, `${before}${name}.`)]);
}

describe("the page about the simulator", () => {
  test.each(seeds.map((seed) => [Object.keys(seed).join(", "), seed]))("has a seed that works: %s", async (_, seed) => {
    expect(() => readSeed(seed)).not.toThrow();
    await createSimulator({ seed }).close();
  });

  test("has an example of every member of a seed that is used, however deep", () => {
    const unused = ["format", "description", "cluster.standalone", "tokens.alias", "tokens.userid", "tokens.name"];
    // Members of a recorded cluster that nothing depends on, and the other way to list nodes.
    const notShown = /^(?:node|other_nodes)(?:\.|$)|\.(?:local|qemu_version|subscription_level|failed_auth_delay_s)$/;
    const shown = new Set(seeds.flatMap((seed) => membersOf(seed)));
    const missing = namesIn(seedProperties).filter((name) => !shown.has(name));
    expect(missing.filter((name) => !unused.includes(name) && !notShown.test(name))).toEqual([]);
  });

  test("has an example of every fault, and each can be ordered", () => {
    expect(faults.map((fault) => fault.do).sort()).toEqual([...faultKinds].sort());
    for (const fault of faults) {
      expect(readFault(fault, "fault")).toMatchObject({ do: fault.do });
      expect(page).toContain(`\`${fault.do}\``);
    }
  });
});
