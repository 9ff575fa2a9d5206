import { toCtyType } from "../codec/cty-type.ts";
import { type Catalog, load, loadCatalog, namesOf } from "../define/catalog.ts";
import type { FunctionDefinition, Parameter } from "../define/function-definition.ts";
import { definitionErrors } from "../schema/definition-errors.ts";
import { describe } from "../schema/describe.ts";
import type {
  FunctionParameter,
  FunctionSchema,
  IdentitySchema,
  ProviderServer,
  Schema,
  ServerCapabilities,
} from "../server.ts";
import { answer, Call } from "./call.ts";
import { Managed } from "./managed.ts";
import type { Runtime } from "./runtime.ts";

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

/** The calls for the schema. Everything is computed on request only: all but the names needs the definitions loaded. */
export function schemaCalls(
  runtime: Runtime,
): Pick<ProviderServer, "getMetadata" | "getProviderSchema" | "getResourceIdentitySchemas" | "getFunctions"> {
  const { provider } = runtime;
  return {
    async getMetadata() {
      return {
        serverCapabilities,
        dataSources: namesOf(provider.dataSources),
        resources: namesOf(provider.resources),
        functions: namesOf(provider.functions),
        ephemeralResources: namesOf(provider.ephemerals),
        listResources: namesOf(provider.listResources),
        actions: namesOf(provider.actions),
        diagnostics: [],
      };
    },

    getProviderSchema() {
      const call = new Call(runtime, { rpc: "GetProviderSchema", operation: "validate", type: provider.name });
      return answer(call, EMPTY, async () => {
        const catalog = await loadCatalog(provider);
        for (const fault of definitionErrors(provider, catalog)) call.report.bug(fault);
        // Terraform uses no schema that comes with an error, and one without types cannot be described.
        if (call.report.failed) return EMPTY;
        return {
          serverCapabilities,
          provider: describe(provider),
          resources: mapValues(catalog.resources, describe),
          dataSources: mapValues(catalog.dataSources, describe),
          functions: mapValues(catalog.functions, describeFunction),
          ephemeralResources: mapValues(catalog.ephemerals, describe),
          listResources: mapValues(catalog.listResources, describeList),
          actions: mapValues(catalog.actions, describe),
        };
      });
    },

    async getResourceIdentitySchemas() {
      const managed = Object.entries(await load(provider.resources)).map(
        ([type, one]) => [type, new Managed(one)] as const,
      );
      const identified = Object.fromEntries(managed.filter(([, { hasIdentity }]) => hasIdentity));
      return { identitySchemas: mapValues(identified, describeIdentity), diagnostics: [] };
    },

    async getFunctions() {
      return { functions: mapValues(await load(provider.functions), describeFunction), diagnostics: [] };
    },
  };
}

const mapValues = <D, S>(definitions: Record<string, D>, schema: (definition: D) => S): Record<string, S> =>
  Object.fromEntries(Object.entries(definitions).map(([name, definition]) => [name, schema(definition)]));

/** A list resource is documented with the resource that it finds. */
const describeList = ({ resource: { subcategory }, ...definition }: Catalog["listResources"][string]): Schema =>
  describe({ ...definition, ...(subcategory === undefined ? {} : { subcategory }) });

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
