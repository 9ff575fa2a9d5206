import { describe, expect, test } from "vitest";
import { attribute, bodyOf, nested } from "./body-of.ts";
import { proposeNew } from "./proposed-new.ts";
import { objectType } from "./schema.ts";
import { type Input, show, toValue, unknown } from "./value.ts";

const part = { size: attribute("required"), address: attribute("computed"), name: attribute("optional_computed") };
const body = bodyOf({
  id: attribute("computed"),
  name: attribute("required"),
  note: attribute("optional"),
  memory: attribute("optional_computed"),
  one: nested("optional", "single", part),
  several: nested("optional", "list", part),
  named: nested("optional", "map", part),
  any: nested("optional", "set", part),
  inherited: nested("optional_computed", "single", part),
  derived: nested("optional_computed", "single", { address: attribute("computed") }),
});

interface Case {
  title: string;
  prior: Input;
  config: Input;
  proposed: Input;
}

const cases: Case[] = [
  {
    title: "without a prior object, the configuration is proposed as it is",
    prior: null,
    config: { name: "a", one: { size: "1" } },
    proposed: { name: "a", one: { size: "1" } },
  },
  {
    title: "what is computed and not configured is kept",
    prior: { id: "1", name: "a", memory: "2G" },
    config: { name: "b" },
    proposed: { id: "1", name: "b", memory: "2G" },
  },
  {
    title: "what is optional and no longer configured is removed",
    prior: { name: "a", note: "x" },
    config: { name: "a" },
    proposed: { name: "a" },
  },
  {
    title: "an unknown configured value is proposed, whatever the prior value is",
    prior: { name: "a", memory: "2G" },
    config: { name: "a", memory: unknown },
    proposed: { name: "a", memory: unknown },
  },
  {
    title: "a nested object keeps its computed members",
    prior: { name: "a", one: { size: "1", address: "x", name: "n" } },
    config: { name: "a", one: { size: "2" } },
    proposed: { name: "a", one: { size: "2", address: "x", name: "n" } },
  },
  {
    title: "elements of a list are matched by their index",
    prior: { name: "a", several: [{ size: "1", address: "x" }] },
    config: { name: "a", several: [{ size: "2" }, { size: "3" }] },
    proposed: { name: "a", several: [{ size: "2", address: "x" }, { size: "3" }] },
  },
  {
    title: "elements of a map are matched by their key",
    prior: { name: "a", named: { x: { size: "1", address: "ax" }, y: { size: "1", address: "ay" } } },
    config: { name: "a", named: { y: { size: "1" }, z: { size: "1" } } },
    proposed: { name: "a", named: { y: { size: "1", address: "ay" }, z: { size: "1" } } },
  },
  {
    title: "elements of a set are matched by what was configured",
    prior: {
      name: "a",
      any: [
        { size: "1", address: "x" },
        { size: "2", address: "y" },
      ],
    },
    config: { name: "a", any: [{ size: "2" }, { size: "3" }] },
    proposed: { name: "a", any: [{ size: "2", address: "y" }, { size: "3" }] },
  },
  {
    title: "an inherited object that must have been configured is not carried over",
    prior: { name: "a", inherited: { size: "1", address: "x" } },
    config: { name: "a" },
    proposed: { name: "a" },
  },
  {
    title: "an inherited object that cannot have been configured is carried over",
    prior: { name: "a", derived: { address: "x" } },
    config: { name: "a" },
    proposed: { name: "a", derived: { address: "x" } },
  },
];

describe("the object Terraform proposes", () => {
  const value = (input: Input) => toValue(objectType(body), input);

  test.each(cases)("$title", ({ prior, config, proposed }) => {
    expect(show(proposeNew(body, value(prior), value(config)))).toBe(show(value(proposed)));
  });

  test("is nothing when nothing is configured", () => {
    expect(proposeNew(body, value({ name: "a" }), null)).toBeNull();
  });
});
