/**
 * `npm run facts -- FILE` writes `schema/pve/api.jsonl` from the API description of a Proxmox VE release, the JSON tree
 * behind its API viewer, gzipped or not. It takes only facts: no sentence of the description enters the repository.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";

type Tree = Readonly<Record<string, unknown>>;

const plainFacts = [
  ...["type", "optional", "enum", "minimum", "maximum", "minLength", "maxLength", "pattern", "requires"],
  ...["default_key", "alias", "keyAlias", "type-property"],
];

/** The parts of a parameter's description that a program can check. */
function parameterFacts(description: Tree): Tree {
  const { format, items } = description;
  const schema = description["x-format-schema"];
  return {
    ...Object.fromEntries(plainFacts.flatMap((name) => (description[name] == null ? [] : [[name, description[name]]]))),
    ...(format === undefined ? {} : { format: typeof format === "string" ? format : mapped(format as Tree) }),
    ...(schema === undefined ? {} : { "x-format-schema": mapped(schema as Tree) }),
    ...(items === undefined ? {} : { items: parameterFacts(items as Tree) }),
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

const [file] = process.argv.slice(2);
if (file === undefined) {
  process.stderr.write("usage: npm run facts -- FILE\n");
  process.exitCode = 2;
} else {
  const bytes = readFileSync(file);
  const text = (file.endsWith(".gz") ? gunzipSync(bytes) : bytes).toString("utf8");
  const methods = methodsBelow(JSON.parse(text) as Tree[]);
  const lines = methods.map((facts) => JSON.stringify(facts)).toSorted();
  writeFileSync(join(import.meta.dirname, "../schema/pve/api.jsonl"), `${lines.join("\n")}\n`);
}
