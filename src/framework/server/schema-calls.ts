import { toCtyType } from "../codec/cty-type.ts";
import type { FunctionDefinition, Parameter } from "../define/function-definition.ts";
import { definitionErrors } from "../schema/definition-errors.ts";
import { describe } from "../schema/describe.ts";
import type {
  FunctionParameter,
  FunctionSchema,
  IdentitySchema,
  ProviderServer,
  ServerCapabilities,
} from "../server.ts";
import { answer, Call } from "./call.ts";
import { Managed } from "./managed.ts";
import type { AnyProvider, Runtime } from "./runtime.ts";

const serverCapabilities: ServerCapabilities = {
  planDestroy: true,
  getProviderSchemaOptional: true,
  moveResourceState: true,
  generateResourceConfig: true,
};

const EMPTY = {
  serverCapabilities,
  provider: describe({ attributes: {}, doc: "" }),
  resources: {},
  dataSources: {},
  functions: {},
  ephemeralResources: {},
  listResources: {},
  actions: {},
};

/** The calls for the schema. Everything is computed on request only. */
export function schemaCalls(
  runtime: Runtime,
): Pick<ProviderServer, "getMetadata" | "getProviderSchema" | "getResourceIdentitySchemas" | "getFunctions"> {
  const { provider } = runtime;
  const {
    resources = [],
    dataSources = [],
    functions = [],
    ephemerals = [],
    listResources = [],
    actions = [],
  } = provider;
  return {
    async getMetadata() {
      return {
        serverCapabilities,
        dataSources: dataSources.map(({ type }) => type),
        resources: resources.map(({ type }) => type),
        functions: functions.map(({ name }) => name),
        ephemeralResources: ephemerals.map(({ type }) => type),
        listResources: listResources.map(({ resource }) => resource.type),
        actions: actions.map(({ type }) => type),
        diagnostics: [],
      };
    },

    getProviderSchema() {
      const call = new Call(runtime, { rpc: "GetProviderSchema", operation: "validate", type: provider.name });
      return answer(call, EMPTY, async () => {
        for (const fault of definitionErrors(provider)) call.report.bug(fault);
        return {
          serverCapabilities,
          provider: describe(provider),
          resources: byName(resources, ({ type }) => type, describe),
          dataSources: byName(dataSources, ({ type }) => type, describe),
          functions: describeFunctions(provider),
          ephemeralResources: byName(ephemerals, ({ type }) => type, describe),
          listResources: byName(listResources, ({ resource }) => resource.type, describe),
          actions: byName(actions, ({ type }) => type, describe),
        };
      });
    },

    async getResourceIdentitySchemas() {
      const identified = resources.map((resource) => new Managed(resource)).filter(({ hasIdentity }) => hasIdentity);
      return { identitySchemas: byName(identified, ({ type }) => type, describeIdentity), diagnostics: [] };
    },

    async getFunctions() {
      return { functions: describeFunctions(provider), diagnostics: [] };
    },
  };
}

const byName = <D, S>(definitions: readonly D[], name: (definition: D) => string, schema: (definition: D) => S) =>
  Object.fromEntries(definitions.map((definition) => [name(definition), schema(definition)]));

function describeIdentity({ identity, attributes }: Managed): IdentitySchema {
  return {
    version: identity.version ?? 0,
    attributes: identity.attributes.flatMap((name) => {
      const attribute = attributes[name];
      if (!attribute) return [];
      const type = toCtyType(attribute.type);
      return [{ name, type, requiredForImport: true, optionalForImport: false, description: attribute.doc }];
    }),
  };
}

const describeFunctions = ({ functions = [] }: AnyProvider): Record<string, FunctionSchema> =>
  byName(functions, ({ name }) => name, describeFunction);

function describeFunction({
  parameters,
  variadic,
  returns,
  summary,
  doc,
  deprecated,
}: FunctionDefinition): FunctionSchema {
  const [rest] = Object.entries(variadic ?? {}).map(describeParameter);
  return {
    parameters: Object.entries(parameters).map(describeParameter),
    ...(rest ? { variadicParameter: rest } : {}),
    returnType: toCtyType(returns),
    summary,
    description: doc,
    ...(deprecated === undefined ? {} : { deprecationMessage: deprecated }),
  };
}

const describeParameter = ([name, { type, doc, allowUnknown }]: [string, Parameter]): FunctionParameter => ({
  name,
  type: toCtyType(type),
  allowNull: type.nullable,
  allowUnknown: allowUnknown ?? false,
  description: doc,
});
