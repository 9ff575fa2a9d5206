import type {
  FunctionParameter,
  FunctionSchema,
  IdentitySchema,
  ProviderServer,
  Schema,
  SchemaAttribute,
} from "#framework";
import { sourceAddress } from "../../src/source-address.ts";
import type { Generated } from "./generated.ts";

/**
 * `schema/provider.json`: the schema as `terraform providers schema -json` prints it, created without Terraform. Each
 * version of Terraform prints the parts that it supports; this is the output of the newest
 * (`internal/command/jsonprovider`).
 */
export function providerJson(server: ProviderServer): Generated {
  const path = "schema/provider.json";
  return {
    owns: [path],
    files: async () => new Map([[path, `${JSON.stringify(await describeProvider(server), null, 2)}\n`]]),
  };
}

async function describeProvider(server: ProviderServer): Promise<object> {
  const schema = await server.getProviderSchema();
  const { identitySchemas } = await server.getResourceIdentitySchemas();
  const [fault] = schema.diagnostics;
  if (fault) throw new Error(`${fault.summary}: ${fault.detail}`);
  return {
    format_version: "1.0",
    provider_schemas: {
      [sourceAddress]: withoutEmpty({
        provider: schemaJson(schema.provider),
        resource_schemas: sorted(schema.resources, schemaJson),
        data_source_schemas: sorted(schema.dataSources, schemaJson),
        ephemeral_resource_schemas: sorted(schema.ephemeralResources, schemaJson),
        list_resource_schemas: sorted(schema.listResources, schemaJson),
        functions: sorted(schema.functions, functionJson),
        resource_identity_schemas: sorted(identitySchemas, identityJson),
        action_schemas: sorted(schema.actions, (action) => ({ block: blockJson(action) })),
      }),
    },
  };
}

const schemaJson = (schema: Schema): object => ({ version: schema.version, block: blockJson(schema) });

const blockJson = ({ attributes, description, deprecationMessage }: Schema): object => ({
  ...attributesJson(attributes),
  ...text(description),
  ...deprecation(deprecationMessage),
});

/** Terraform leaves out what is empty. */
const attributesJson = (attributes: SchemaAttribute[]): object =>
  attributes.length === 0
    ? {}
    : {
        attributes: sorted(
          Object.fromEntries(attributes.map((attribute) => [attribute.name, attribute])),
          attributeJson,
        ),
      };

function attributeJson(attribute: SchemaAttribute): object {
  const { type, nested, description, deprecationMessage, required, optional, computed, sensitive } = attribute;
  return {
    ...(nested ? { nested_type: { ...attributesJson(nested.attributes), nesting_mode: nested.nesting } } : { type }),
    ...text(description),
    ...deprecation(deprecationMessage),
    ...flags({ required, optional, computed, sensitive, write_only: attribute.writeOnly }),
  };
}

const identityJson = ({ version, attributes }: IdentitySchema): object => ({
  version,
  attributes: sorted(
    Object.fromEntries(attributes.map((attribute) => [attribute.name, attribute])),
    ({ type, description, requiredForImport, optionalForImport }) => ({
      type,
      description,
      ...flags({ required_for_import: requiredForImport, optional_for_import: optionalForImport }),
    }),
  ),
});

const functionJson = (declared: FunctionSchema): object => ({
  description: declared.description,
  summary: declared.summary,
  ...(declared.deprecationMessage === undefined ? {} : { deprecation_message: declared.deprecationMessage }),
  return_type: declared.returnType,
  ...(declared.parameters.length > 0 ? { parameters: declared.parameters.map(parameterJson) } : {}),
  ...(declared.variadicParameter ? { variadic_parameter: parameterJson(declared.variadicParameter) } : {}),
});

const parameterJson = ({ name, description, allowNull, type }: FunctionParameter): object => ({
  name,
  description,
  ...flags({ is_nullable: allowNull }),
  type,
});

const text = (description: string): object => ({ description, description_kind: "markdown" });

const deprecation = (message: string | undefined): object =>
  message === undefined ? {} : { deprecated: true, deprecation_message: message };

/** Go leaves out false values. */
const flags = (all: Record<string, boolean>): object =>
  Object.fromEntries(Object.entries(all).filter(([, isSet]) => isSet));

const withoutEmpty = (parts: Record<string, object>): object =>
  Object.fromEntries(Object.entries(parts).filter(([, part]) => Object.keys(part).length > 0));

const sorted = <T>(record: Readonly<Record<string, T>>, toJson: (value: T) => object): object =>
  Object.fromEntries(
    Object.keys(record)
      .sort()
      .map((name) => [name, toJson(record[name] as T)]),
  );
