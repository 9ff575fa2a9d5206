import { describe, expect, test } from "vitest";
import type { ProviderSchema, ProviderServer, Schema, SchemaAttribute } from "#framework";
import { Provider } from "../../../../src/plugin/gen/tfplugin6.ts";
import { encodeProviderSchema } from "../../../../src/plugin/rpc/schema.ts";
import { providerMethods } from "../../../../src/plugin/rpc/terraform.ts";
import { schemaBytesOnce } from "../../../../src/plugin/schema-bytes.ts";
import { silent } from "../grpc/connection.ts";
import { oracle } from "../protobuf/oracle.ts";
import { stubSchema, stubServer } from "../stub-server.ts";

const attribute: SchemaAttribute = {
  name: "tags",
  type: ["set", "string"],
  description: "Words.",
  required: false,
  optional: true,
  computed: true,
  sensitive: true,
  writeOnly: true,
};

const schema: Schema = {
  version: 4,
  description: "A thing.",
  deprecationMessage: "Use another.",
  attributes: [
    attribute,
    {
      ...attribute,
      name: "disks",
      nested: { nesting: "map", attributes: [{ ...attribute, name: "size", required: true }] },
    },
  ],
  blocks: [
    {
      name: "timeouts",
      nesting: "group",
      minItems: 1,
      maxItems: 2,
      block: { description: "How long.", attributes: [attribute], blocks: [] },
    },
  ],
};
delete schema.attributes[1]?.type;

const wireAttribute = {
  name: "tags",
  type: Buffer.from('["set","string"]'),
  description: "Words.",
  descriptionKind: 1,
  required: false,
  optional: true,
  computed: true,
  sensitive: true,
  writeOnly: true,
  deprecated: false,
  deprecationMessage: "",
};
const wireSchema = {
  version: 4,
  block: {
    version: 4,
    description: "A thing.",
    descriptionKind: 1,
    deprecated: true,
    deprecationMessage: "Use another.",
    computed: false,
    attributes: [
      wireAttribute,
      {
        ...wireAttribute,
        name: "disks",
        type: Buffer.alloc(0),
        nestedType: {
          nesting: 4,
          minItems: 0,
          maxItems: 0,
          attributes: [{ ...wireAttribute, name: "size", required: true }],
        },
      },
    ],
    blockTypes: [
      {
        typeName: "timeouts",
        nesting: 5,
        minItems: 1,
        maxItems: 2,
        block: { version: 0, description: "How long.", deprecated: false, attributes: [wireAttribute], blockTypes: [] },
      },
    ],
  },
};

const double = {
  parameters: [{ name: "n", type: "number", allowNull: true, allowUnknown: false, description: "A number." }],
  variadicParameter: { name: "more", type: "dynamic", allowNull: false, allowUnknown: true, description: "Others." },
  returnType: ["list", "number"],
  summary: "Doubles.",
  description: "Twice as much.",
} as const;

const wireDouble = {
  parameters: [{ name: "n", type: Buffer.from('"number"'), allowNullValue: true, allowUnknownValues: false }],
  variadicParameter: { name: "more", type: Buffer.from('"dynamic"'), allowNullValue: false, allowUnknownValues: true },
  return: { type: Buffer.from('["list","number"]') },
  summary: "Doubles.",
  description: "Twice as much.",
  deprecationMessage: "",
};

describe("the provider's schema", () => {
  test("reaches Terraform in full", async () => {
    const everything: ProviderSchema = {
      diagnostics: [{ severity: "warning", summary: "Careful", detail: "" }],
      serverCapabilities: {
        planDestroy: true,
        getProviderSchemaOptional: true,
        moveResourceState: true,
        generateResourceConfig: true,
      },
      provider: schema,
      resources: { thing: schema },
      dataSources: { lookup: schema },
      functions: { double: { ...double, parameters: [...double.parameters] } },
      ephemeralResources: { secret: schema },
      listResources: { thing: schema },
      actions: { reboot: schema },
    };
    const bytes = await encodeProviderSchema(stubServer({ getProviderSchema: async () => everything }));
    expect(oracle("tfplugin6.GetProviderSchema.Response").decode(bytes)).toMatchObject({
      diagnostics: [{ severity: 2, summary: "Careful" }],
      serverCapabilities: everything.serverCapabilities,
      provider: wireSchema,
      resourceSchemas: { thing: wireSchema },
      dataSourceSchemas: { lookup: wireSchema },
      functions: { double: wireDouble },
      ephemeralResourceSchemas: { secret: wireSchema },
      listResourceSchemas: { thing: wireSchema },
      stateStoreSchemas: {},
      actionSchemas: { reboot: { schema: wireSchema } },
      providerMeta: null,
    });
  });

  test("is encoded once, from one provider, for all clients", async () => {
    let asked = 0;
    const getProviderSchema = async () => {
      asked++;
      return stubSchema;
    };
    const server = async () => stubServer({ getProviderSchema });
    const schemaBytes = schemaBytesOnce(undefined);
    const [first, second] = await Promise.all([schemaBytes(server), schemaBytes(server)]);
    expect(second).toBe(first);
    expect(await schemaBytes(server)).toBe(first);
    expect(asked).toBe(1);
  });

  test("is requested again after a failure", async () => {
    const schemaBytes = schemaBytesOnce(undefined);
    await expect(schemaBytes(() => Promise.reject(new Error("not today")))).rejects.toThrow("not today");
    await expect(schemaBytes(async () => stubServer())).resolves.toBeInstanceOf(Uint8Array);
  });

  test.each([
    ["as bytes", Buffer.from("ready")],
    ["as something to load", async () => Buffer.from("ready")],
  ])("from build time, %s, needs no provider", async (_, given) => {
    const schemaBytes = schemaBytesOnce(given);
    await expect(schemaBytes(() => Promise.reject(new Error("no provider")))).resolves.toEqual(Buffer.from("ready"));
  });
});

describe("other descriptions of a provider", () => {
  test("metadata names every type", async () => {
    await expect(ask("GetMetadata")).resolves.toMatchObject({
      serverCapabilities: { planDestroy: true },
      dataSources: [{ typeName: "stub_lookup" }],
      resources: [{ typeName: "stub_thing" }],
      functions: [{ name: "double" }],
      ephemeralResources: [{ typeName: "stub_secret" }],
      listResources: [{ typeName: "stub_thing" }],
      stateStores: [],
      actions: [{ typeName: "stub_reboot" }],
    });
  });

  test("identity schemas contain what an import needs", async () => {
    const identity = {
      version: 1,
      attributes: [
        { name: "vmid", type: "number", requiredForImport: true, optionalForImport: false, description: "Its number." },
      ],
    };
    const getResourceIdentitySchemas = async () => ({ identitySchemas: { thing: identity }, diagnostics: [] });
    await expect(ask("GetResourceIdentitySchemas", { getResourceIdentitySchemas })).resolves.toMatchObject({
      identitySchemas: {
        thing: {
          version: 1,
          identityAttributes: [
            {
              name: "vmid",
              type: Buffer.from('"number"'),
              requiredForImport: true,
              optionalForImport: false,
              description: "Its number.",
            },
          ],
        },
      },
    });
  });

  test("functions can be requested alone, as OpenTofu does", async () => {
    const functions = { double: { ...double, parameters: [...double.parameters] } };
    const getFunctions = async () => ({ functions, diagnostics: [] });
    await expect(ask("GetFunctions", { getFunctions })).resolves.toMatchObject({ functions: { double: wireDouble } });
  });
});

test("every RPC is served, except those of state stores", () => {
  const served = providerMethods(
    async () => stubServer(),
    async () => new Uint8Array(),
    silent,
  ).map(([path]) => path);
  const missing = Object.values(Provider).filter(({ path }) => !served.includes(path));
  expect(missing.map(({ path }) => path.split("/")[2])).toEqual([
    "ValidateStateStoreConfig",
    "ConfigureStateStore",
    "ReadStateBytes",
    "WriteStateBytes",
    "LockState",
    "UnlockState",
    "GetStates",
    "DeleteState",
  ]);
});

async function ask(rpc: string, replaced: Partial<ProviderServer> = {}): Promise<object> {
  const methods = new Map(
    providerMethods(
      async () => stubServer(replaced),
      async () => new Uint8Array(),
      silent,
    ),
  );
  const answers = methods.get(`/tfplugin6.Provider/${rpc}`)?.(new Uint8Array(), new AbortController().signal);
  for await (const answer of answers ?? []) return oracle(`tfplugin6.${rpc}.Response`).decode(answer);
  throw new Error(`${rpc} was not answered`);
}
