import type {
  CtyType,
  FunctionParameter,
  FunctionSchema,
  IdentitySchema,
  ProviderSchema,
  Schema,
  SchemaAttribute,
  SchemaBlock,
} from "#framework";
import * as wire from "../gen/tfplugin6.ts";
import * as toWire from "./to-wire.ts";

const objectNesting = {
  single: wire.SchemaObjectNestingMode.SINGLE,
  list: wire.SchemaObjectNestingMode.LIST,
  set: wire.SchemaObjectNestingMode.SET,
  map: wire.SchemaObjectNestingMode.MAP,
} as const;

const blockNesting = {
  single: wire.SchemaNestedBlockNestingMode.SINGLE,
  list: wire.SchemaNestedBlockNestingMode.LIST,
  set: wire.SchemaNestedBlockNestingMode.SET,
  map: wire.SchemaNestedBlockNestingMode.MAP,
  group: wire.SchemaNestedBlockNestingMode.GROUP,
} as const;

const descriptionKind = wire.StringKind.MARKDOWN;

export function providerSchema(response: ProviderSchema): wire.GetProviderSchemaResponse {
  return {
    ...toWire.diagnosed(response),
    serverCapabilities: response.serverCapabilities,
    provider: schema(response.provider),
    resourceSchemas: mapValues(response.resources, schema),
    dataSourceSchemas: mapValues(response.dataSources, schema),
    functions: mapValues(response.functions, functionSchema),
    ephemeralResourceSchemas: mapValues(response.ephemeralResources, schema),
    listResourceSchemas: mapValues(response.listResources, schema),
    stateStoreSchemas: {},
    actionSchemas: mapValues(response.actions, (action) => ({ schema: schema(action) })),
  };
}

export function identitySchema({ version, attributes }: IdentitySchema): wire.ResourceIdentitySchema {
  return {
    version,
    identityAttributes: attributes.map((attribute) => ({ ...attribute, type: typeBytes(attribute.type) })),
  };
}

export function functionSchema(declared: FunctionSchema): wire.Function {
  return {
    parameters: declared.parameters.map(parameter),
    variadicParameter: declared.variadicParameter && parameter(declared.variadicParameter),
    return: { type: typeBytes(declared.returnType) },
    summary: declared.summary,
    description: declared.description,
    descriptionKind,
    deprecationMessage: declared.deprecationMessage ?? "",
  };
}

export function mapValues<From, To>(record: Record<string, From>, translate: (value: From) => To): Record<string, To> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, translate(value)]));
}

function schema(declared: Schema): wire.Schema {
  return { version: declared.version, block: block(declared, declared.version) };
}

/** Terraform also stores a version in each block, and reads that of the outermost one. */
function block(declared: Omit<Schema, "version">, version = 0): wire.SchemaBlock {
  return {
    version,
    attributes: declared.attributes.map(attribute),
    blockTypes: declared.blocks.map(nestedBlock),
    description: declared.description,
    descriptionKind,
    ...deprecation(declared),
    computed: false,
  };
}

function attribute(declared: SchemaAttribute): wire.SchemaAttribute {
  return {
    name: declared.name,
    type: declared.type === undefined ? new Uint8Array() : typeBytes(declared.type),
    nestedType: declared.nested && {
      attributes: declared.nested.attributes.map(attribute),
      nesting: objectNesting[declared.nested.nesting],
      minItems: 0,
      maxItems: 0,
    },
    description: declared.description,
    descriptionKind,
    required: declared.required,
    optional: declared.optional,
    computed: declared.computed,
    sensitive: declared.sensitive,
    writeOnly: declared.writeOnly,
    ...deprecation(declared),
  };
}

function nestedBlock(declared: SchemaBlock): wire.SchemaNestedBlock {
  return {
    typeName: declared.name,
    block: block(declared.block),
    nesting: blockNesting[declared.nesting],
    minItems: declared.minItems,
    maxItems: declared.maxItems,
  };
}

function parameter(declared: FunctionParameter): wire.FunctionParameter {
  return {
    name: declared.name,
    type: typeBytes(declared.type),
    allowNullValue: declared.allowNull,
    allowUnknownValues: declared.allowUnknown,
    description: declared.description,
    descriptionKind,
  };
}

/** Terraform refuses the message without the flag. */
function deprecation(declared: { deprecationMessage?: string }): { deprecated: boolean; deprecationMessage: string } {
  return {
    deprecated: declared.deprecationMessage !== undefined,
    deprecationMessage: declared.deprecationMessage ?? "",
  };
}

function typeBytes(type: CtyType): Uint8Array {
  return Buffer.from(JSON.stringify(type), "utf8");
}
