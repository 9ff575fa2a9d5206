/**
 * `npm run facts -- FILE [OTHER PREFIX…]` writes `schema/pve/api.jsonl` from the API description of a Proxmox VE release:
 * the JSON tree behind its API viewer, or a flat list of its paths, gzipped or not. Methods below the prefixes are taken
 * from the second description. It takes only facts: no sentence of a description enters the repository.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";

type Tree = Readonly<Record<string, unknown>>;

const plainFacts = [
  ...["type", "optional", "enum", "minimum", "maximum", "minLength", "maxLength", "pattern", "requires"],
  ...["default_key", "alias", "keyAlias", "type-property", "instance-types"],
];

/** The parts of a parameter's description that a program can check. */
function parameterFacts(description: Tree): Tree {
  const { format, items, oneOf } = description;
  const schema = description["x-format-schema"];
  return {
    ...Object.fromEntries(plainFacts.flatMap((name) => (description[name] == null ? [] : [[name, description[name]]]))),
    ...(format === undefined ? {} : { format: typeof format === "string" ? format : mapped(format as Tree) }),
    ...(schema === undefined ? {} : { "x-format-schema": mapped(schema as Tree) }),
    ...(items === undefined ? {} : { items: parameterFacts(items as Tree) }),
    ...(oneOf === undefined ? {} : { oneOf: (oneOf as Tree[]).map(parameterFacts) }),
  };
}

function mapped(descriptions: Tree): Tree {
  const names = Object.keys(descriptions).toSorted();
  return Object.fromEntries(names.map((name) => [name, parameterFacts(descriptions[name] as Tree)]));
}

function parametersFacts({ properties, allOf, oneOf, ...more }: Tree): Tree {
  const type = more["type-property"];
  const schema = more["type-property-schema"];
  return {
    ...(properties === undefined ? {} : { properties: mapped(properties as Tree) }),
    ...(allOf === undefined ? {} : { allOf: (allOf as Tree[]).map(parametersFacts) }),
    ...(oneOf === undefined ? {} : { oneOf: (oneOf as Tree[]).map(parametersFacts) }),
    ...(type === undefined ? {} : { "type-property": type }),
    ...(schema === undefined ? {} : { "type-property-schema": parameterFacts(schema as Tree) }),
  };
}

function methodFacts(path: string, method: string, description: Tree): Tree {
  const { user, check } = (description["permissions"] ?? {}) as Tree;
  const flags = ["protected", "proxyto", "allowtoken"].filter((name) => description[name] != null);
  return {
    method,
    path,
    parameters: parametersFacts(description["parameters"] as Tree),
    ...(user === undefined && check === undefined
      ? {}
      : { permissions: { ...(user === undefined ? {} : { user }), ...(check === undefined ? {} : { check }) } }),
    ...Object.fromEntries(flags.map((name) => [name, description[name]])),
  };
}

function methodsBelow(paths: readonly Tree[]): Tree[] {
  return paths.flatMap(({ path, info, children }) => [
    ...Object.entries((info ?? {}) as Record<string, Tree>).map(([method, description]) =>
      methodFacts(String(path), method, description),
    ),
    ...methodsBelow((children ?? []) as Tree[]),
  ]);
}

/** A definition of the flat form, in the words of the tree. */
function plainDefinition(definition: Tree): Tree {
  const { extra, min_length: minLength, max_length: maxLength, optional, items, ...rest } = definition;
  const { enum: values, properties: _, ...plain } = rest;
  return {
    ...plain,
    ...(extra as Tree),
    ...((values as unknown[] | undefined)?.length ? { enum: values } : {}),
    ...(optional === undefined ? {} : { optional: Number(optional) }),
    ...(minLength === undefined ? {} : { minLength }),
    ...(maxLength === undefined ? {} : { maxLength }),
    ...(items === undefined ? {} : { items: plainDefinition(items as Tree) }),
  };
}

interface FlatMethod {
  readonly verb: string;
  readonly parameters: readonly { readonly name: string; readonly definition: Tree }[];
  readonly permissions?: { readonly user?: string; readonly expression?: Tree };
  readonly protected?: boolean;
  readonly allow_token?: boolean;
  readonly extra?: Tree;
}

function flatFacts(path: string, method: FlatMethod): Tree {
  const { verb, parameters, permissions, extra } = method;
  const properties = Object.fromEntries(parameters.map(({ name, definition }) => [name, plainDefinition(definition)]));
  const { user, expression } = permissions ?? {};
  return methodFacts(path, verb, {
    parameters: parameters.length === 0 ? {} : { properties },
    ...(permissions === undefined ? {} : { permissions: { user, ...expression } }),
    ...(method.protected && { protected: 1 }),
    ...(extra?.["proxyto"] !== undefined && { proxyto: extra["proxyto"] }),
    ...(method.allow_token && { allowtoken: 1 }),
  });
}

function readMethods(file: string): Tree[] {
  const bytes = readFileSync(file);
  const described: unknown = JSON.parse((file.endsWith(".gz") ? gunzipSync(bytes) : bytes).toString("utf8"));
  if (Array.isArray(described)) {
    return methodsBelow(described);
  }
  const { paths } = described as { readonly paths: readonly { path: string; methods: readonly FlatMethod[] }[] };
  return paths.flatMap(({ path, methods }) => methods.map((method) => flatFacts(path, method)));
}

const [file, other, ...prefixes] = process.argv.slice(2);
if (file === undefined || (other !== undefined && prefixes.length === 0)) {
  process.stderr.write("usage: npm run facts -- FILE [OTHER PREFIX...]\n");
  process.exitCode = 2;
} else {
  const isOther = ({ path }: Tree) => prefixes.some((prefix) => `${path}/`.startsWith(`${prefix}/`));
  const methods = readMethods(file).filter((facts) => !isOther(facts));
  const replaced = other === undefined ? [] : readMethods(other).filter(isOther);
  const lines = [...methods, ...replaced].map((facts) => JSON.stringify(facts)).toSorted();
  writeFileSync(join(import.meta.dirname, "../schema/pve/api.jsonl"), `${lines.join("\n")}\n`);
}
