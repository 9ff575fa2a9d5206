import { describe, expect, it } from "vitest";
import {
  type Attributes,
  bool,
  createServer,
  definitions,
  dynamic,
  int,
  list,
  map,
  nested,
  number,
  object,
  oneOf,
  parseDuration,
  set,
  string,
  type Type,
  tuple,
} from "#framework";
import { Cloud, cloud } from "../machine.ts";

const { defineProvider, defineResource } = definitions<undefined>();

const provider = (attributes: Attributes, more: object = {}) =>
  defineProvider({
    name: "corner",
    doc: "A provider.",
    attributes: {},
    configure: () => undefined,
    resources: {
      corner_thing: () =>
        defineResource({
          type: "corner_thing",
          doc: "A thing.",
          attributes,
          create: () => ({}),
          read: () => null,
          delete: () => {},
          ...more,
        }),
    },
  });

const schemaOf = async (attributes: Attributes, more: object = {}) => {
  const { resources, diagnostics } = await createServer(provider(attributes, more)).getProviderSchema();
  expect(diagnostics).toEqual([]);
  return resources["corner_thing"];
};

describe("the schema for Terraform", () => {
  it("has the group of the page in the documentation, for a list resource that of its resource", async () => {
    const { subcategory: _, ...plain } = (await schemaOf({})) ?? {};
    expect(await schemaOf({}, { subcategory: "Things" })).toEqual({ ...plain, subcategory: "Things" });
    const { resources = {}, ...others } = provider({}, { subcategory: "Things" });
    const resource = await resources["corner_thing"]?.();
    const listResources = {
      corner_thing: () => ({ resource: resource ?? expect.fail(), doc: "", attributes: {}, async *list() {} }),
    };
    const { listResources: lists } = await createServer({ ...others, resources, listResources }).getProviderSchema();
    expect(lists["corner_thing"]?.subcategory).toBe("Things");
  });

  it.each<[string, Type, unknown]>([
    ["string", string(), "string"],
    ["oneOf", oneOf(["a"]), "string"],
    ["bool", bool(), "bool"],
    ["int", int(), "number"],
    ["number", number(), "number"],
    ["dynamic", dynamic(), "dynamic"],
    ["list", list(string()), ["list", "string"]],
    ["set", set(list(int())), ["set", ["list", "number"]]],
    ["map", map(bool()), ["map", "bool"]],
    ["tuple", tuple([string(), int()]), ["tuple", ["string", "number"]]],
    ["object", object({ b: string(), a: int() }), ["object", { a: "number", b: "string" }]],
  ])("the type of %s", async (_, type, cty) => {
    const schema = await schemaOf({ a: { type, mode: "optional", doc: "" } });
    expect(JSON.parse(JSON.stringify(schema?.attributes[0]?.type))).toEqual(cty);
  });

  it.each([
    ["required", { required: true, optional: false, computed: false }],
    ["optional", { required: false, optional: true, computed: false }],
    ["optional_computed", { required: false, optional: true, computed: true }],
    ["computed", { required: false, optional: false, computed: true }],
  ] as const)("what %s means", async (mode, flags) => {
    const schema = await schemaOf({ a: { type: string(), mode, doc: "Why." } });
    expect(schema?.attributes).toEqual([
      { name: "a", type: "string", description: "Why.", sensitive: false, writeOnly: false, ...flags },
    ]);
  });

  it.each<["single" | "list" | "set" | "map", Type]>([
    ["single", nested({ x: { type: string(), mode: "required", doc: "" } })],
    ["list", list(nested({ x: { type: string(), mode: "required", doc: "" } }))],
    ["set", set(nested({ x: { type: string(), mode: "required", doc: "" } }))],
    ["map", map(nested({ x: { type: string(), mode: "required", doc: "" } }))],
  ])("attributes nested in a %s", async (nesting, type) => {
    const schema = await schemaOf({ a: { type, mode: "optional", doc: "" } });
    expect(schema?.attributes[0]?.type).toBeUndefined();
    expect(schema?.attributes[0]?.nested).toMatchObject({ nesting, attributes: [{ name: "x", required: true }] });
  });

  it("computes every member of a computed object", async () => {
    const type = nested({ x: { type: string(), mode: "optional", doc: "" } });
    const schema = await schemaOf({ a: { type, mode: "computed", doc: "" } });
    expect(schema?.attributes[0]?.nested?.attributes[0]).toMatchObject({ optional: false, computed: true });
  });

  it("includes secrets, deprecations and the version", async () => {
    const attributes: Attributes = {
      a: { type: string(), mode: "optional", sensitive: true, deprecated: "Use b.", doc: "" },
      b: { type: string(), mode: "optional", writeOnly: true, doc: "" },
    };
    expect(
      await schemaOf(attributes, { version: 1, upgrades: { 0: () => ({}) }, deprecated: "Use another." }),
    ).toMatchObject({
      version: 1,
      description: "A thing.",
      deprecationMessage: "Use another.",
      attributes: [{ sensitive: true, deprecationMessage: "Use b." }, { writeOnly: true }],
    });
  });

  it("lists all types and the provider's capabilities", async () => {
    expect(await createServer(cloud(new Cloud())).getMetadata()).toMatchObject({
      resources: ["cloud_machine"],
      dataSources: [],
      serverCapabilities: {
        planDestroy: true,
        getProviderSchemaOptional: true,
        moveResourceState: true,
        generateResourceConfig: true,
      },
    });
  });
});

describe("mistakes in a definition", () => {
  const inner = nested({ x: { type: string(), mode: "optional", doc: "" } });
  it.each<[string, Attributes, object]>([
    ["a name must be lower-case", { Big: { type: string(), mode: "optional", doc: "" } }, {}],
    ["Terraform reserves this name", { count: { type: string(), mode: "optional", doc: "" } }, {}],
    [
      "a computed attribute cannot be write-only",
      { a: { type: string(), mode: "computed", writeOnly: true, doc: "" } },
      {},
    ],
    ["only a computed attribute can be kept", { a: { type: string(), mode: "optional", keep: true, doc: "" } }, {}],
    ['no sibling attribute "b"', { a: { type: string(), mode: "computed", keep: { unless: ["b"] }, doc: "" } }, {}],
    ['no sibling attribute "b"', { a: { type: string(), mode: "optional", writeOnly: { trigger: "b" }, doc: "" } }, {}],
    ["cannot be nested this deep", { a: { type: list(list(inner)), mode: "optional", doc: "" } }, {}],
    ["cannot be nested this deep", { a: { type: object({ o: inner }), mode: "optional", doc: "" } }, {}],
    [
      "a set cannot contain this",
      {
        a: {
          type: set(nested({ x: { type: string(), mode: "optional", local: true, doc: "" } })),
          mode: "optional",
          doc: "",
        },
      },
      {},
    ],
    [
      "values of any type",
      { a: { type: set(nested({ x: { type: dynamic(), mode: "optional", doc: "" } })), mode: "optional", doc: "" } },
      {},
    ],
    [
      "cannot contain computed ones",
      {
        a: {
          type: nested({ x: { type: string(), mode: "computed", doc: "" } }),
          mode: "optional",
          local: true,
          doc: "",
        },
      },
      {},
    ],
    ['the identity has no attribute "id"', {}, { identity: ["id"] }],
    [
      "cannot be part of the identity",
      { id: { type: list(string()), mode: "required", doc: "" } },
      { identity: ["id"] },
    ],
  ])("are bugs: %s", async (fault, attributes, more) => {
    const { diagnostics } = await createServer(provider(attributes, more)).getProviderSchema();
    expect(diagnostics).toMatchObject([{ summary: "Bug in the provider", detail: expect.stringContaining(fault) }]);
  });
});

describe("durations", () => {
  it.each([
    ["30s", 30_000],
    ["5m", 300_000],
    ["1h30m", 5_400_000],
    ["1.5h", 5_400_000],
    ["250ms", 250],
    ["", null],
    ["5", null],
    ["m", null],
    ["-5m", null],
    ["5 m", null],
  ])("%j is %s milliseconds", (text, milliseconds) => {
    expect(parseDuration(text)).toBe(milliseconds);
  });
});
