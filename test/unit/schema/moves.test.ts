import { expect, test } from "vitest";
import type { Attributes } from "#kit";
import { objects } from "../../../src/registry.ts";

const definitions = await Promise.all(Object.values(objects).map((load) => load()));

function at(attributes: Attributes, [name = "", ...inner]: readonly string[]): Attributes[string] | undefined {
  const attribute = attributes[name];
  if (inner.length === 0 || attribute === undefined) return attribute;
  const { shape } = attribute.type;
  return shape.kind === "nested" ? at(shape.attributes, inner) : undefined;
}

const cases = definitions.flatMap(({ type, attributes, crud }) =>
  (crud.definition.movedFrom ?? []).map((predecessor) => ({ type, attributes, ...predecessor })),
);

test.each(cases)("$types become $type: every target is an attribute, and none a secret", ({ attributes, members }) => {
  const paths = Object.keys(members);
  expect(paths.filter((path) => at(attributes, path.split(".")) === undefined)).toEqual([]);
  expect(paths.filter((path) => at(attributes, path.split("."))?.writeOnly !== undefined)).toEqual([]);
});
