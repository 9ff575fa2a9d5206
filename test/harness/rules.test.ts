import { describe, expect, test } from "vitest";
import { attribute, bodyOf, nested } from "./body-of.ts";
import { compatibleProblems } from "./object-compatible.ts";
import { planProblems } from "./plan-valid.ts";
import { objectType } from "./schema.ts";
import { type Input, toValue, Unknown, unknown } from "./value.ts";

const part = { size: attribute("required"), address: attribute("computed") };
const body = bodyOf({
  id: attribute("computed"),
  name: attribute("optional"),
  memory: attribute("optional_computed"),
  count: attribute("optional", "number"),
  list: attribute("optional", ["list", "string"]),
  tags: attribute("optional_computed", ["set", "string"]),
  secret: attribute("optional", "string", { sensitive: true }),
  once: attribute("optional", "string", { writeOnly: true }),
  one: nested("optional", "single", part),
  several: nested("optional", "list", part),
  named: nested("optional", "map", part),
  any: nested("optional", "set", part),
});
const value = (input: Input) => toValue(objectType(body), input);
const line = ({ path, text }: { path: string; text: string }) => `${path}: ${text}`;

describe("a plan is accepted", () => {
  const accepted: [title: string, prior: Input, config: Input, planned: Input][] = [
    ["as configured", null, { name: "a" }, { name: "a" }],
    ["with computed values filled in or unknown", null, { name: "a" }, { name: "a", id: unknown, memory: "2G" }],
    ["with a prior value that means the same", { memory: "8G" }, { memory: "8192M" }, { memory: "8G" }],
    ["with a write-only value left out", null, { once: "x" }, {}],
    [
      "with computed members of a nested object",
      null,
      { one: { size: "1" } },
      { one: { size: "1", address: unknown } },
    ],
    ["with as many elements of a set", null, { any: [{ size: "1" }] }, { any: [{ size: "1", address: unknown }] }],
    ["with numbers spelt differently", null, { count: 1 }, { count: toValue({ kind: "number" }, 1n) }],
  ];

  test.each(accepted)("%s", (_, prior, config, planned) => {
    expect(planProblems(body, value(prior), value(config), value(planned)).map(line)).toEqual([]);
  });
});

describe("a plan is refused", () => {
  const refused: [title: string, prior: Input, config: Input, planned: Input, problem: string][] = [
    [
      "that changes what is configured",
      null,
      { name: "a" },
      { name: "b" },
      'name: is configured as "a", yet "b" is planned',
    ],
    [
      "that is neither configured nor prior",
      { memory: "1G" },
      { memory: "2G" },
      { memory: "3G" },
      'memory: is configured as "2G" and was "1G", yet "3G" is planned',
    ],
    ["that fills in what is not computed", null, {}, { name: "b" }, 'name: is not computed, yet "b" is planned'],
    [
      "that keeps what is no longer configured",
      { name: "a" },
      {},
      { name: "a" },
      'name: is not computed, yet "a" is planned',
    ],
    [
      "that says a configured value is unknown",
      null,
      { name: "a" },
      { name: unknown },
      'name: is configured as "a", yet (unknown) is planned',
    ],
    [
      "that changes a secret",
      null,
      { secret: "a" },
      { secret: "b" },
      "secret: is configured as (sensitive), yet (sensitive) is planned",
    ],
    [
      "that drops a nested object",
      null,
      { one: { size: "1" } },
      {},
      "one: is configured, but the plan has nothing there",
    ],
    [
      "that changes a nested member",
      null,
      { one: { size: "1" } },
      { one: { size: "2" } },
      'one.size: is configured as "1", yet "2" is planned',
    ],
    [
      "that adds to a list",
      null,
      { several: [] },
      { several: [{ size: "1" }] },
      "several[0]: is planned, but not configured",
    ],
    [
      "that loses a key of a map",
      null,
      { named: { a: { size: "1" } } },
      { named: {} },
      "named[a]: is configured, but the plan has nothing there",
    ],
    ["that adds to a set", null, { any: [] }, { any: [{ size: "1" }] }, "any: has 0 elements configured and 1 planned"],
    ["of nothing for something", null, { name: "a" }, null, ": is configured, but the plan has nothing there"],
  ];

  test.each(refused)("%s", (_, prior, config, planned, problem) => {
    expect(planProblems(body, value(prior), value(config), value(planned)).map(line)).toEqual([problem]);
  });
});

describe("a result is accepted", () => {
  const accepted: [title: string, planned: Input, actual: Input][] = [
    ["as planned", { name: "a", list: ["x"] }, { name: "a", list: ["x"] }],
    ["with unknown values filled in", { id: unknown, memory: unknown }, { id: "1" }],
    ["with a set in another order", { tags: ["a", "b"] }, { tags: ["b", "a"] }],
    ["with unknown elements that turn out to be equal", { tags: ["a", unknown] }, { tags: ["a"] }],
    ["within the refinement", { id: new Unknown({ prefix: "vm-", notNull: true }) }, { id: "vm-1" }],
  ];

  test.each(accepted)("%s", (_, planned, actual) => {
    expect(compatibleProblems(body, value(planned), value(actual)).map(line)).toEqual([]);
  });
});

describe("a result is refused", () => {
  const refused: [title: string, planned: Input, actual: Input, problem: string][] = [
    ["that is not as planned", { name: "a" }, { name: "b" }, 'name: was planned as "a" and is "b"'],
    ["that lost a value", { name: "a" }, {}, 'name: was planned as "a" and is null'],
    ["that gained one", {}, { name: "a" }, 'name: was planned as null and is "a"'],
    ["that forgot a known value", { name: "a" }, { name: unknown }, 'name: was planned as "a" and is unknown now'],
    ["that added to a list", { list: ["a"] }, { list: ["a", "b"] }, "list[1]: was not planned and is there"],
    ["that shortened a list", { list: ["a", "b"] }, { list: ["a"] }, "list[1]: was planned and is absent"],
    ["that changed a set", { tags: ["a"] }, { tags: ["b"] }, 'tags: was planned to contain "a" and does not'],
    ["that added to a set", { tags: ["a"] }, { tags: ["a", "b"] }, 'tags: contains "b", which was not planned'],
    [
      "that contradicts a refinement",
      { id: new Unknown({ prefix: "vm-" }) },
      { id: "ct-1" },
      'id: was promised to start with "vm-" and is "ct-1"',
    ],
    [
      "that is null although a refinement excludes it",
      { id: new Unknown({ notNull: true }) },
      {},
      "id: was promised to be set and is null",
    ],
    ["that changes a secret", { secret: "a" }, { secret: "b" }, "secret: is not what was planned (sensitive)"],
    ["of nothing", { name: "a" }, null, ": was planned and is absent"],
  ];

  test.each(refused)("%s", (_, planned, actual, problem) => {
    expect(compatibleProblems(body, value(planned), value(actual)).map(line)).toEqual([problem]);
  });
});
