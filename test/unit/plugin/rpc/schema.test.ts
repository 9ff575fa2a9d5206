import { describe, expect, test } from "vitest";
import type { ProviderSchema, ProviderServer, Schema, SchemaAttribute } from "#framework";
import { Provider } from "../../../../src/plugin/gen/tfplugin6.ts";
import type { Handler } from "../../../../src/plugin/grpc/call.ts";
import { encodeAnswers } from "../../../../src/plugin/rpc/schema.ts";
import { providerMethods } from "../../../../src/plugin/rpc/terraform.ts";
import { silent } from "../grpc/connection.ts";
import { oracle } from "../protobuf/oracle.ts";
import { stubServer } from "../stub-server.ts";

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
    const { getProviderSchema: bytes } = await encodeAnswers(stubServer({ getProviderSchema: async () => everything }));
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
});

describe("prepared answers", () => {
  test("are the provider's own", async () => {
    const answers = await encodeAnswers(stubServer());
    expect(Object.keys(answers)).toEqual([
      "getMetadata",
      "getProviderSchema",
      "getResourceIdentitySchemas",
      "getFunctions",
    ]);
    const methods = new Map(providerMethods(async () => stubServer(), silent));
    for (const [call, bytes] of Object.entries(answers) as [keyof typeof answers, Uint8Array][]) {
      expect(await answerOf(methods.get(Provider[call].path)), call).toEqual(bytes);
    }
  });

  test("are sent unchanged, without a provider", async () => {
    const ready = (call: string) => async () => Buffer.from(call);
    const prepared = {
      getMetadata: ready("getMetadata"),
      getProviderSchema: ready("getProviderSchema"),
      getResourceIdentitySchemas: ready("getResourceIdentitySchemas"),
      getFunctions: ready("getFunctions"),
    };
    const methods = new Map(providerMethods(() => Promise.reject(new Error("no provider")), silent, prepared));
    for (const call of Object.keys(prepared) as (keyof typeof prepared)[]) {
      expect(await answerOf(methods.get(Provider[call].path))).toEqual(Buffer.from(call));
    }
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
  const served = providerMethods(async () => stubServer(), silent).map(([path]) => path);
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
  const methods = new Map(providerMethods(async () => stubServer(replaced), silent));
  return oracle(`tfplugin6.${rpc}.Response`).decode(await answerOf(methods.get(`/tfplugin6.Provider/${rpc}`)));
}

async function answerOf(handler: Handler | undefined): Promise<Uint8Array> {
  for await (const answer of handler?.(new Uint8Array(), new AbortController().signal) ?? []) return answer;
  throw new Error("it was not answered");
}
