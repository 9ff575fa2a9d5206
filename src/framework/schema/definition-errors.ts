import type { Catalog } from "../define/catalog.ts";
import type { FunctionDefinition } from "../define/function-definition.ts";
import type { ProviderDefinition } from "../define/provider-definition.ts";
import type { ResourceDefinition } from "../define/resource-definition.ts";
import type { Attribute, Attributes } from "./attribute.ts";
import { attributeFaults, hasTypes, isIdentifier, type SchemaRules, typeFaults } from "./attribute-faults.ts";

/** Names that Terraform reserves at the top level of a resource. */
const RESERVED = new Set(["connection", "count", "depends_on", "for_each", "lifecycle", "provider", "provisioner"]);

/** The same for a provider block, with names that it keeps for later (internal/configs/provider.go). */
const RESERVED_IN_PROVIDER = new Set([
  "alias",
  "count",
  "depends_on",
  "for_each",
  "lifecycle",
  "locals",
  "source",
  "version",
]);

const stored: SchemaRules = { mayCompute: true, mayHide: true };
const returned: SchemaRules = { mayCompute: true, mayHide: false };
const sent: SchemaRules = { mayCompute: false, mayHide: true };
const asked: SchemaRules = { mayCompute: false, mayHide: false };

/** Mistakes in a definition that the types cannot prevent and that Terraform would refuse or, worse, accept. */
export function definitionErrors(provider: ProviderDefinition<Attributes, unknown>, catalog: Catalog): string[] {
  const { resources, dataSources, ephemerals, actions, functions, listResources } = catalog;
  return [
    ...misnamed(catalog),
    ...schemaFaults(provider.name, provider.attributes, asked, RESERVED_IN_PROVIDER),
    ...Object.values(resources).flatMap(({ type, attributes }) => schemaFaults(type, attributes, stored)),
    ...[dataSources, ephemerals].flatMap((kind) =>
      Object.values(kind).flatMap(({ type, attributes }) => schemaFaults(type, attributes, returned)),
    ),
    ...Object.values(actions).flatMap(({ type, attributes }) => schemaFaults(type, attributes, sent)),
    ...Object.values(listResources).flatMap(({ resource: { type }, attributes }) => [
      ...schemaFaults(`list ${type}`, attributes, asked),
      ...(resources[type] === undefined ? [`list ${type}: there is no managed resource ${type}`] : []),
    ]),
    ...Object.values(functions).flatMap(functionFaults),
    ...Object.values(resources).flatMap((resource) => [...identityFaults(resource), ...versionFaults(resource)]),
  ];
}

const schemaFaults = (place: string, attributes: Attributes, rules: SchemaRules, reserved = RESERVED): string[] => [
  ...Object.keys(attributes)
    .filter((name) => reserved.has(name))
    .map((name) => `${place}.${name}: Terraform reserves this name`),
  ...attributeFaults(place, attributes, rules),
];

/** Definitions that are registered under another name than their own, or under one that Terraform cannot write. */
function misnamed({ functions, listResources, ...kinds }: Catalog): string[] {
  const named = [
    ...Object.values(kinds).flatMap((kind) => Object.entries(kind).map(([name, { type }]) => [name, type] as const)),
    ...Object.entries(functions).map(([name, definition]) => [name, definition.name] as const),
    ...Object.entries(listResources).map(([name, { resource }]) => [name, resource.type] as const),
  ];
  return [
    ...named.filter(([name, own]) => name !== own).map(([name, own]) => `${name}: the definition is of ${own}`),
    ...named
      .filter(([name]) => !isIdentifier(name))
      .map(([name]) => `${name}: a name must be lower-case letters, digits and underscores`),
  ];
}

type AnyResource = ResourceDefinition<Attributes, string, object, unknown, unknown>;

const identityOf = ({ identity = [] }: AnyResource) => ("attributes" in identity ? identity : { attributes: identity });

const identityFaults = (resource: AnyResource): string[] =>
  identityOf(resource).attributes.flatMap((name) => identifyingFaults(resource.type, name, resource.attributes[name]));

function identifyingFaults(type: string, name: string, attribute: Attribute | undefined): string[] {
  if (attribute === undefined) return [`${type}: the identity has no attribute "${name}"`];
  const kind = attribute.type?.shape?.kind;
  const simple = kind === "string" || kind === "number" || kind === "bool";
  return simple && !attribute.local && !attribute.writeOnly ? [] : [`${type}.${name}: cannot be part of the identity`];
}

/** A state of any earlier version has to become one of the current version, step by step. */
function versionFaults(resource: AnyResource): string[] {
  const identity = identityOf(resource) as { readonly version?: number; readonly upgrades?: object };
  return [
    ...upgradeFaults(resource.type, "a state", resource),
    ...upgradeFaults(resource.type, "an identity", identity),
  ];
}

function upgradeFaults(
  type: string,
  what: string,
  { version = 0, upgrades = {} }: { readonly version?: number; readonly upgrades?: object },
): string[] {
  if (!Number.isSafeInteger(version) || version < 0) return [`${type}: the version of ${what} must be a whole number`];
  const steps = Object.keys(upgrades).map(Number);
  const missing = Array.from({ length: version }, (_, from) => from).filter((from) => !steps.includes(from));
  return [
    ...missing.map((from) => `${type}: no upgrade leads from version ${from} of ${what} to version ${from + 1}`),
    ...steps
      .filter((from) => !(from < version))
      .map((from) => `${type}: the upgrade from version ${from} of ${what} is never used`),
  ];
}

function functionFaults({ name, parameters, variadic = {}, returns }: FunctionDefinition): string[] {
  const [given, rest] = [Object.entries(parameters), Object.entries(variadic)];
  const both = rest.filter(([parameter]) => Object.hasOwn(parameters, parameter));
  return [
    ...(rest.length > 1 ? [`${name}: only one parameter can take any number of arguments`] : []),
    ...both.map(([parameter]) => `${name}(${parameter}): two parameters have this name`),
    ...[...given, ...rest].flatMap(([parameter, { type }]) => [
      ...(isIdentifier(parameter)
        ? []
        : [`${name}(${parameter}): a name must be lower-case letters, digits and underscores`]),
      ...typeFaultsOf(type).map((fault) => `${name}(${parameter}): ${fault}`),
    ]),
    ...typeFaultsOf(returns).map((fault) => `${name}: in its result, ${fault}`),
  ];
}

const typeFaultsOf = (type: FunctionDefinition["returns"] | undefined): string[] =>
  hasTypes(type) ? typeFaults(type) : ["it, or a part of it, has no type"];
