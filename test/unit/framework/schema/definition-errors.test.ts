import { describe, expect, it, test } from "vitest";
import {
  type Attribute,
  type Attributes,
  createServer,
  definitions,
  dynamic,
  list,
  map,
  nested,
  type ProviderDefinition,
  string,
  type Type,
} from "#framework";
import { unknown } from "../../../harness/value.ts";
import { Core } from "../core.ts";

const { defineProvider, defineResource, defineListResource, defineAction, defineDataSource, defineFunction } =
  definitions<object>();

const text: Attribute = { type: string(), mode: "optional", doc: "" };
const result: Attribute = { ...text, mode: "computed" };
const hidden: Attribute = { ...text, writeOnly: true };

const thing = (attributes: Attributes, more: object = {}) =>
  defineResource({
    type: "corner_thing",
    doc: "",
    attributes,
    create: () => ({}),
    read: () => null,
    delete: () => {},
    ...more,
  });

type Provider = ProviderDefinition<Attributes, object>;

const provider = (more: Partial<Provider>): Provider =>
  defineProvider({ name: "corner", doc: "", attributes: {}, configure: () => ({}), ...more }) as Provider;

const withThing = (attributes: Attributes, more: object = {}): Partial<Provider> => ({
  resources: { corner_thing: () => thing(attributes, more) },
});

const withFunction = (parameters: object, more: object = {}): Partial<Provider> => ({
  functions: {
    join: () =>
      defineFunction({
        name: "join",
        summary: "",
        doc: "",
        parameters: parameters as Record<string, { type: Type; doc: string }>,
        returns: string(),
        call: () => "",
        ...more,
      }) as never,
  },
});

const listing = (attributes: Attributes) =>
  defineListResource({ doc: "", attributes, resource: thing({}), async *list() {} });

async function faultsOf(more: Partial<Provider>): Promise<string[]> {
  const { diagnostics } = await createServer(provider(more)).getProviderSchema();
  return diagnostics.map(({ detail }) => detail.split("\n")[0] ?? "");
}

describe("a definition that Terraform would refuse, or worse, accept", () => {
  it.each<[string, Partial<Provider>]>([
    ["corner.alias: Terraform reserves this name", { attributes: { alias: text } }],
    ["corner.version: Terraform reserves this name", { attributes: { version: text } }],
    ["corner.a: nothing returns a value here, so it cannot be computed", { attributes: { a: result } }],
    ["corner.a: nothing is stored here, so it cannot be write-only", { attributes: { a: hidden } }],
    [
      "list corner_thing.count: Terraform reserves this name",
      { ...withThing({}), listResources: { corner_thing: () => listing({ count: text }) } },
    ],
    [
      "list corner_thing.a: nothing returns a value here, so it cannot be computed",
      { ...withThing({}), listResources: { corner_thing: () => listing({ a: result }) } },
    ],
    [
      "list corner_thing: there is no managed resource corner_thing",
      { listResources: { corner_thing: () => listing({}) } },
    ],
    [
      "corner_run.a: nothing returns a value here, so it cannot be computed",
      {
        actions: {
          corner_run: () =>
            defineAction({ type: "corner_run", doc: "", attributes: { a: result }, invoke: () => {} }) as never,
        },
      },
    ],
    [
      "corner_data.a: nothing is stored here, so it cannot be write-only",
      {
        dataSources: {
          corner_data: () =>
            defineDataSource({ type: "corner_data", doc: "", attributes: { a: hidden }, read: () => ({}) }) as never,
        },
      },
    ],
    [
      "corner_thing.a.b: all members of a write-only object must be write-only",
      withThing({ a: { ...hidden, type: nested({ b: text }) } }),
    ],
    [
      "corner_thing.a.b: a computed object cannot contain a write-only attribute: a user cannot set it",
      withThing({ a: { ...result, type: nested({ b: hidden }) } }),
    ],
    [
      "corner_thing.a: a collection cannot hold values of any type",
      withThing({ a: { ...text, type: list(dynamic()) } }),
    ],
    [
      "corner_thing.a.b: a collection cannot hold values of any type",
      withThing({ a: { ...text, type: map(nested({ b: { ...text, type: dynamic() } })) } }),
    ],
    [
      "corner_thing.a: only a read-only attribute says what to set instead",
      withThing({ a: { ...text, instead: "B." } }),
    ],
    [
      "corner_thing: no upgrade leads from version 1 of a state to version 2",
      withThing({}, { version: 2, upgrades: { 0: () => ({}) } }),
    ],
    [
      "corner_thing: the upgrade from version 3 of a state is never used",
      withThing({}, { version: 1, upgrades: { 0: () => ({}), 3: () => ({}) } }),
    ],
    [
      "corner_thing: no upgrade leads from version 0 of an identity to version 1",
      withThing({ id: { ...text, mode: "required" } }, { identity: { attributes: ["id"], version: 1 } }),
    ],
    [
      "join(A b): a name must be lower-case letters, digits and underscores",
      withFunction({ "A b": { type: string(), doc: "" } }),
    ],
    [
      "join(a): two parameters have this name",
      withFunction({ a: { type: string(), doc: "" } }, { variadic: { a: { type: string(), doc: "" } } }),
    ],
    [
      "join: only one parameter can take any number of arguments",
      withFunction({}, { variadic: { a: { type: string(), doc: "" }, b: { type: string(), doc: "" } } }),
    ],
    ["join(a): a collection cannot hold values of any type", withFunction({ a: { type: list(dynamic()), doc: "" } })],
    ["join: in its result, a collection cannot hold values of any type", withFunction({}, { returns: map(dynamic()) })],
    [
      "Corner-Thing: a name must be lower-case letters, digits and underscores",
      { resources: { "Corner-Thing": () => thing({}, { type: "Corner-Thing" }) } },
    ],
    ["corner_thing.a: it, or a part of it, has no type", withThing({ a: { mode: "optional", doc: "" } as never })],
    ["corner_thing.a: it, or a part of it, has no type", withThing({ a: { ...text, type: list(undefined as never) } })],
    ["join(a): it, or a part of it, has no type", withFunction({ a: { doc: "" } })],
    [
      'corner_thing.a.b: the mode is "input", not one of required, optional, optional_computed, computed',
      withThing({ a: { ...text, type: nested({ b: { ...text, mode: "input" as never } }) } }),
    ],
  ])("is a bug that names its place: %s", async (fault, more) => {
    expect(await faultsOf(more)).toEqual([fault]);
  });

  it("names the definition that cannot be loaded", async () => {
    const resources = {
      corner_thing: () => {
        throw new Error("no such type");
      },
    };
    expect(await faultsOf({ resources })).toEqual(["corner_thing cannot be loaded: no such type"]);
  });
});

describe("a mistake that shows only with a value", () => {
  const failing = string({
    check: () => {
      throw new Error("undefined is not a function");
    },
  });

  it("names the attribute whose check fails", async () => {
    const core = await Core.start(
      provider(withThing({ a: { ...text, type: nested({ b: { ...text, type: failing } }) } })),
    );
    const [found] = await core.validate("corner_thing", { a: { b: "x" } });
    expect(found?.detail).toContain("a check of a.b failed: undefined is not a function");
    expect(found?.detail).toContain("corner_thing, ValidateResourceConfig");
  });

  it("names the attribute that an answer of the provider has wrong", async () => {
    const wrong = thing(
      { a: { ...result, type: nested({ b: result }) } },
      { create: () => ({}), read: () => ({ a: { b: 7 } }) },
    );
    const core = await Core.start(provider({ resources: { corner_thing: () => wrong } }));
    const held = await core.apply("corner_thing", await core.plan("corner_thing", {}));
    expect(held.diagnostics[0]?.detail).toContain("expected a string at a.b");
    expect(held.diagnostics[0]?.detail).toContain("corner_thing, ApplyResourceChange");
  });
});

test("a deprecated attribute is reported for values that are known", async () => {
  const core = await Core.start(provider(withThing({ a: { ...text, deprecated: "Use b." } })));
  const summaries = async (value: string | typeof unknown | null) =>
    (await core.validate("corner_thing", { a: value })).map(({ summary }) => summary);
  expect(await summaries("x")).toEqual(["Deprecated attribute"]);
  expect(await summaries(unknown)).toEqual([]);
  expect(await summaries(null)).toEqual([]);
});
