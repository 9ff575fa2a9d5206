import { bool, int, list, map, nested, object, oneOf, set, string, tuple } from "#framework";
import { defineResource, keptAs } from "../define.ts";

const part = nested({
  size: { type: int(), mode: "required", doc: "How large the part is." },
  colour: { type: oneOf(["red", "green", "blue"]), mode: "optional", doc: "What it looks like." },
  tags: { type: set(string()), mode: "optional", doc: "What it is filed under." },
});

/** Every way a value can be built, nested attributes in all four nestings included. */
export const shapes = defineResource({
  type: "corner_shapes",
  doc: "Something with structure.",
  identity: ["id"],
  attributes: {
    id: { type: string(), mode: "computed", keep: true, doc: "Chosen by the store." },
    flag: { type: bool(), mode: "optional", doc: "Yes or no." },
    list: { type: list(string()), mode: "optional", doc: "In this order." },
    set: { type: set(int()), mode: "optional", doc: "In any order." },
    map: { type: map(string()), mode: "optional", doc: "By name." },
    lists: { type: list(list(int())), mode: "optional", doc: "Lists of lists." },
    object: { type: object({ a: string(), b: int() }), mode: "optional", doc: "Both members or none." },
    tuple: { type: tuple([string(), bool()]), mode: "optional", doc: "Two values of two types." },
    one: { type: part, mode: "optional", doc: "One part." },
    several: { type: list(part), mode: "optional", doc: "Parts in order." },
    named: { type: map(part), mode: "optional", doc: "Parts by name." },
    any: { type: set(part), mode: "optional", doc: "Parts in any order." },
  },
  ...keptAs("shapes"),
});
