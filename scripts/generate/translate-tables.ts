import {
  type Coverage,
  type Entry,
  type OurNames,
  ourNames,
  placeOf,
  readCoverage,
  readPeerNames,
} from "../../schema/peers/coverage.ts";
import type { Origin } from "./docs/page.ts";
import type { Generated } from "./generated.ts";

const path = "src/cli/translate/gen/tables.json";

/**
 * What `translate` has to know about the other providers, from the tables in `schema/peers`: for each of their types the type here
 * and the place of each attribute (`=memory.size`), or a reason (`-…`), and the types whose states can be moved here.
 */
export const translateTables = (
  providerJson: Generated,
  origins: ReadonlyMap<string, readonly Origin[]>,
): Generated => ({
  owns: [path],
  async files() {
    const [schema = "{}"] = (await providerJson.files()).values();
    const ours = ourNames(JSON.parse(schema));
    const data = {
      given: namesIn(JSON.parse(schema), ({ required, optional }) => required === true || optional === true),
      single: namesIn(JSON.parse(schema), ({ nested_type }) => nested_type?.nesting_mode === "single"),
    };
    const peers = readPeerNames();
    const bpg = readCoverage();
    const telmate = readCoverage("telmate-coverage.txt");
    const tables = {
      bpg: table(bpg, ours, data, ({ kind, name, rows }) => [...(peers.get(`${kind} ${name}`) ?? []), ...rows.keys()]),
      telmate: table(telmate, ours, data, ({ rows }) => [...rows.keys()]),
      moves: [...origins].flatMap(([to, all]) => all.map(({ provider, type }) => `${provider} ${type} ${to}`)).sort(),
    };
    return new Map([[path, print(tables)]]);
  },
});

/** One line for each type. */
function print(tables: Readonly<Record<string, object>>): string {
  const parts = Object.entries(tables).map(([name, members]) => {
    const isList = Array.isArray(members);
    const lines = Object.entries(members).map(
      ([key, value]) => `    ${isList ? "" : `${JSON.stringify(key)}: `}${JSON.stringify(value)}`,
    );
    return `  ${JSON.stringify(name)}: ${isList ? "[" : "{"}\n${lines.join(",\n")}\n  ${isList ? "]" : "}"}`;
  });
  return `{\n${parts.join(",\n")}\n}\n`;
}

interface Schemas {
  readonly provider_schemas: Readonly<
    Record<
      string,
      {
        readonly data_source_schemas: Readonly<Record<string, { readonly block: { readonly attributes: Attributes } }>>;
      }
    >
  >;
}

type Attributes = Readonly<Record<string, Attribute>>;

interface Attribute {
  readonly required?: boolean;
  readonly optional?: boolean;
  readonly nested_type?: { readonly nesting_mode: string };
}

/** The names of attributes of each data source. */
function namesIn(
  { provider_schemas: all }: Schemas,
  isWanted: (attribute: Attribute) => boolean,
): ReadonlyMap<string, readonly string[]> {
  const schemas = Object.values(all).flatMap(({ data_source_schemas: sources }) => Object.entries(sources));
  return new Map(
    schemas.map(([type, { block }]) => [
      type,
      Object.entries(block.attributes ?? {}).flatMap(([name, attribute]) => (isWanted(attribute) ? [name] : [])),
    ]),
  );
}

function table(
  coverage: Coverage,
  ours: OurNames,
  { given, single }: Record<"given" | "single", ReadonlyMap<string, readonly string[]>>,
  namesOf: (entry: Entry) => readonly string[],
) {
  return Object.fromEntries(
    coverage.entries.map((entry) => {
      const { kind, name, verdict, target, objects } = entry;
      if (verdict !== "here") return [`${kind} ${name}`, { none: target }];
      const rows = [...new Set(namesOf(entry))].sort().flatMap((attribute) => {
        const place = placeOf(attribute, entry, coverage, ours);
        return place === null ? [] : [[attribute, `${place.verdict === "here" ? "=" : "-"}${place.target}`]];
      });
      const isObject = kind === "data" && objects.some((object) => single.get(target)?.includes(object));
      const known = kind === "data" ? { arguments: given.get(target) ?? [], ...(isObject ? { isObject } : {}) } : {};
      return [`${kind} ${name}`, { target, objects, ...known, rows: Object.fromEntries(rows) }];
    }),
  );
}
