import { expect, it } from "vitest";
import { leftOut } from "../../../../src/cli/adopt/left-out.ts";
import { idsIn } from "../../../../src/cli/adopt/sources.ts";
import { registry } from "../../../../src/registry.ts";

it("every resource type is taken over, or left out for a reason", () => {
  const taken = new Set([...Object.keys(registry.listResources), ...Object.keys(idsIn)]);
  const unexplained = Object.keys(registry.resources).filter((type) => !taken.has(type) && !(type in leftOut));
  expect(unexplained).toEqual([]);
  expect(Object.keys({ ...idsIn, ...leftOut }).filter((type) => !(type in registry.resources))).toEqual([]);
});
