import { readFileSync } from "node:fs";
import { join } from "node:path";

/** `resource` or `data`. */
export type Kind = "resource" | "data";

/** What another provider has: attribute paths by `resource NAME` or `data NAME`. */
export type PeerNames = ReadonlyMap<string, readonly string[]>;

/** What this provider has, likewise, by type. */
export type OurNames = ReadonlyMap<string, ReadonlySet<string>>;

export interface Coverage {
  readonly common: ReadonlyMap<string, Row>;
  readonly entries: readonly Entry[];
  /** Types that have no counterpart there: `resource proxmox_tfa`. */
  readonly here: ReadonlySet<string>;
}

export interface Entry {
  readonly kind: Kind;
  readonly name: string;
  readonly verdict: "here" | "not yet" | "none";
  /** The type here, with its objects that hold the attributes, or the reason. */
  readonly target: string;
  readonly objects: readonly string[];
  readonly rows: ReadonlyMap<string, Row>;
}

/** An attribute, or the reason why there is none. */
export interface Row {
  readonly verdict: "here" | "none";
  readonly target: string;
}

const linesOf = (file: string): string[] =>
  readFileSync(join(import.meta.dirname, file), "utf8")
    .split("\n")
    .filter((line) => line.trim() !== "" && !line.startsWith("#"));

export function readPeerNames(): PeerNames {
  return new Map(
    linesOf("bpg-names.txt").map((line) => {
      const [name = "", attributes = ""] = line.split(": ");
      return [name, attributes.split(" ")];
    }),
  );
}

const rowForm = /^ {2}(\S+) (=|-) (.+)$/;
const entryForm = /^(resource|data) (\S+) (=|\?|-) (.+)$/;

/** The table that a person writes; a line in no known form is an error. */
export function readCoverage(file = "bpg-coverage.txt"): Coverage {
  const common = new Map<string, Row>();
  const here = new Set<string>();
  const entries: (Entry & { readonly rows: Map<string, Row> })[] = [];
  let rows = common;
  for (const line of linesOf(file)) {
    const [, name = "", sign, target = ""] = rowForm.exec(line) ?? [];
    if (sign !== undefined) rows.set(name, { verdict: sign === "=" ? "here" : "none", target });
    else if (line.startsWith("here ")) for (const type of line.split(" ").slice(1)) here.add(keyOf(type));
    else if (line !== "common") {
      const entry = parseEntry(line, file);
      entries.push(entry);
      rows = entry.rows;
    }
  }
  return { common, entries, here };
}

const keyOf = (type: string): string =>
  type.startsWith("data.") ? `data ${type.slice("data.".length)}` : `resource ${type}`;

function parseEntry(line: string, file: string): Entry & { readonly rows: Map<string, Row> } {
  const [, kind, name = "", sign, rest = ""] = entryForm.exec(line) ?? [];
  if (kind === undefined) throw new Error(`${file}: not a row: ${line}`);
  const [target = "", ...objects] = sign === "-" ? [rest] : rest.split(" ");
  const verdict = sign === "=" ? "here" : sign === "?" ? "not yet" : "none";
  return { kind: kind as Kind, name, verdict, target, objects, rows: new Map() };
}

/** Where an attribute is here; null: nothing says it. */
export function placeOf(attribute: string, entry: Entry, { common }: Coverage, ours: OurNames): Row | null {
  const own = entry.rows.get(attribute);
  if (own) return own;
  const here = ours.get(`${entry.kind} ${entry.target}`) ?? new Set<string>();
  const isHere = (path: string) =>
    [path, ...entry.objects.map((object) => `${object}.${path}`)].find((candidate) => here.has(candidate));
  const outer = outerRow(attribute, entry);
  if (outer && (outer.row.verdict === "none" || outer.row.target.startsWith("proxmox_"))) return outer.row;
  const paths = [attribute, ...(outer ? [`${outer.row.target}${attribute.slice(outer.path.length)}`] : [])];
  const last = attribute.slice(attribute.lastIndexOf(".") + 1);
  const rule = common.get(last);
  const renamed = rule?.verdict === "here" ? paths.map((path) => path.slice(0, -last.length) + rule.target) : [];
  const found = [...paths, ...renamed].map(isHere).find((path) => path !== undefined);
  if (found !== undefined) return { verdict: "here", target: found };
  return rule?.verdict === "none" ? rule : null;
}

/** The row of the innermost object that an attribute is in. */
function outerRow(attribute: string, { rows }: Entry): { readonly path: string; readonly row: Row } | null {
  for (let path = attribute; path.includes("."); ) {
    path = path.slice(0, path.lastIndexOf("."));
    const row = rows.get(path);
    if (row) return { path, row };
  }
  return null;
}

interface SchemaBlock {
  readonly attributes?: Readonly<Record<string, { readonly nested_type?: SchemaBlock }>>;
}

interface ProviderSchema {
  readonly resource_schemas: Readonly<Record<string, { readonly block: SchemaBlock }>>;
  readonly data_source_schemas: Readonly<Record<string, { readonly block: SchemaBlock }>>;
}

interface ProviderSchemas {
  readonly provider_schemas: Readonly<Record<string, ProviderSchema>>;
}

/** The names in `schema/provider.json`; keys of maps and places in lists are left out of paths. */
export function ourNames({ provider_schemas: all }: ProviderSchemas): OurNames {
  const [schema] = Object.values(all);
  if (schema === undefined) throw new Error("the schema has no provider");
  const pathsOf = ({ attributes = {} }: SchemaBlock, prefix: string): string[] =>
    Object.entries(attributes).flatMap(([name, { nested_type: inner }]) => [
      `${prefix}${name}`,
      ...(inner ? pathsOf(inner, `${prefix}${name}.`) : []),
    ]);
  const named = (kind: Kind, schemas: ProviderSchema["resource_schemas"]) =>
    Object.entries(schemas).map(([type, { block }]) => [`${kind} ${type}`, new Set(pathsOf(block, ""))] as const);
  return new Map([...named("resource", schema.resource_schemas), ...named("data", schema.data_source_schemas)]);
}
