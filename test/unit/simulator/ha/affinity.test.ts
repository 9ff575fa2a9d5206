import { describe, expect, test } from "vitest";
import { emptyWorld } from "../../../../src/simulator/core/world/empty.ts";
import type { HighAvailability } from "../../../../src/simulator/core/world/ha.ts";
import type { Node } from "../../../../src/simulator/core/world/node.ts";
import { candidates, motionOf } from "../../../../src/simulator/ha/affinity.ts";

/** Three nodes, one service on each, and the rules of a case. */
function world(rules: HighAvailability["rules"], offline: string[] = []) {
  const made = emptyWorld();
  for (const [index, name] of ["a", "b", "c"].entries()) {
    made.nodes[name] = { name, online: !offline.includes(name) } as Node;
    made.ha.services[`vm:${index + 1}`] = { state: "started", node: name };
  }
  made.ha.rules = rules;
  return made;
}

const onNodes = (nodes: string, more: Record<string, string> = {}) =>
  ({ type: "node-affinity", options: { resources: "vm:1", nodes, ...more } }) as const;
const pair = (affinity: "positive" | "negative") =>
  ({ type: "resource-affinity", options: { resources: "vm:1,vm:2", affinity } }) as const;

describe("where a service may run", () => {
  test.each<[string, HighAvailability["rules"], string[], string[]]>([
    ["anywhere without rules", {}, [], ["a", "b", "c"]],
    ["never on a node that is down", {}, ["a"], ["b", "c"]],
    ["on preferred nodes first", { r: onNodes("c") }, [], ["c", "a", "b"]],
    ["by priority", { r: onNodes("b:1,c:5") }, [], ["c", "b", "a"]],
    ["nowhere else if the rule is strict", { r: onNodes("b:1,c:5", { strict: "1" }) }, ["c"], ["b"]],
    [
      "as if there were no rule while it is disabled",
      { r: onNodes("c", { strict: "1", disable: "1" }) },
      [],
      ["a", "b", "c"],
    ],
    ["not with those it is kept apart from", { r: pair("negative") }, [], ["a", "c"]],
    ["rather with those it belongs to", { r: pair("positive") }, [], ["b", "a", "c"]],
  ])("%s", (_, rules, offline, expected) => {
    expect(candidates(world(rules, offline), "vm:1")).toEqual(expected);
  });

  test("and which services move with it or block it", () => {
    expect(motionOf(world({ r: pair("positive") }), "vm:1", "b")).toEqual({ together: ["vm:2"], blocking: [] });
    expect(motionOf(world({ r: pair("negative") }), "vm:1", "b")).toEqual({ together: [], blocking: ["vm:2"] });
    expect(motionOf(world({ r: pair("negative") }), "vm:1", "c")).toEqual({ together: [], blocking: [] });
  });
});
