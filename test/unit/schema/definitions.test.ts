import { describe, expect, test } from "vitest";
import { type ParametersFacts, readFacts, readUndeclared } from "../../../schema/pve/facts.ts";
import { objects, settings } from "../../../src/registry.ts";

const facts = readFacts();
const definitions = await Promise.all(Object.values({ ...objects, ...settings }).map((load) => load()));

type Attributes = (typeof definitions)[number]["attributes"];

/** Every `wire` of an attribute map that is sent, by the variant it belongs to. */
function wiresOf(
  attributes: object,
  variants: readonly string[],
  kind: string | null,
): { name: string; option: string }[] {
  return Object.entries(
    attributes as Record<string, { wire?: string; mode: string; type: { shape: { attributes?: Attributes } } }>,
  ).flatMap(([name, { wire, mode, type }]) => {
    if (mode === "computed") return [];
    if (variants.includes(name) && name !== kind) return [];
    const inner = type.shape.attributes;
    if (inner) return wiresOf(inner, [], null).map((one) => ({ ...one, name: `${name}.${one.name}` }));
    return wire === undefined ? [] : [{ name, option: wire.split("/")[0] ?? "" }];
  });
}

/** A call takes some parameters always, and others by the type that it names. */
const namesIn = ({ properties = {}, allOf = [], oneOf = [], "type-property": type }: ParametersFacts): string[] => [
  ...Object.keys(properties),
  ...(type === undefined ? [] : [type]),
  ...[...allOf, ...oneOf].flatMap(namesIn),
];

const undeclared = readUndeclared();
const parametersOf = (endpoint: string): string[] => [
  ...namesIn(facts.get(endpoint)?.parameters ?? {}),
  ...(undeclared.get(endpoint) ?? []),
];

/** Options that another call takes: `/access/password` for a user's, `PUT /pools` by members. */
const elsewhere: Readonly<Record<string, readonly string[]>> = { proxmox_pool: ["storage"] };

describe.each(definitions.map(({ type, crud, attributes }) => ({ type, crud, attributes })))("$type", (definition) => {
  const { crud, attributes, type } = definition;
  const { names } = crud.model.variants;

  test("calls endpoints that Proxmox VE has", () => {
    expect(crud.endpoints.filter((endpoint) => !facts.has(endpoint))).toEqual([]);
  });

  test("sends options that those endpoints take", () => {
    const kinds = names.length === 0 ? [null] : names;
    const unknown = kinds.flatMap((kind) => {
      const { create, update } = crud.access.endpoints(kind);
      const known = new Set([...parametersOf(create), ...parametersOf(update), ...(elsewhere[type] ?? [])]);
      return wiresOf(attributes, names, kind).filter(({ option }) => !known.has(option));
    });
    expect(unknown).toEqual([]);
  });
});
