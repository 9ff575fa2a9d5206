import {
  type Attribute,
  type Attributes,
  type DataSourceDefinition,
  Failure,
  list,
  nested,
  nullable,
  string,
  type Type,
} from "#framework";
import type { ConfigObject, Parameters } from "#pve";
import type { Wired } from "./crud/definition.ts";
import { ObjectModel } from "./crud/object-model.ts";
import { referralsIn } from "./crud/referrals.ts";
import { defineDataSource } from "./define.ts";
import { glob } from "./glob.ts";
import { checkReference } from "./references.ts";
import type { Session } from "./session.ts";
import type { Subcategory } from "./subcategory.ts";
import type { Members, WiredAttribute } from "./wire/wired.ts";

/** A list of the API as a data source: one call, each object of its answer as attributes, selected by filters. */
export interface CollectionDefinition {
  readonly type: string;
  readonly subcategory: Subcategory;
  readonly doc: string;
  /** `/nodes/{node}/hardware/pci`. Its places, and parameters of the call, take the arguments with that `wire`. */
  readonly path: string;
  /** What every call sends besides: `{ full: true }`. */
  readonly fixed?: Parameters;
  /** What the configuration gives and the call sends. A name that an argument `refers` to must exist. */
  readonly arguments?: Wired;
  /** The attribute that shows the objects: `groups`. */
  readonly items: string;
  /** What is shown of each object; null where PVE leaves an option out that has no `absent`. */
  readonly attributes: Readonly<Record<string, Shown>>;
  /** The attribute that objects are ordered by. All of its values are shown as a list, too: `ids` for `id`. */
  readonly key: string;
  /**
   * What the configuration can select by: an attribute of the objects, or one of another name. Texts are patterns, and a list
   * has to contain what is given.
   */
  readonly filters?: Readonly<Record<string, Filter>>;
  /** Turns the answer into objects where it is not a list of them. */
  rows?(call: CollectionCall): readonly ConfigObject[] | Promise<readonly ConfigObject[]>;
}

export interface CollectionCall {
  readonly api: Session;
  readonly answer: readonly ConfigObject[];
  /** The arguments, by PVE's names. */
  readonly given: Parameters;
  readonly signal: AbortSignal;
}

/** The first sentence of its documentation, without the full stop; with the attribute where that has another name. */
export type Filter = string | { readonly by: string; readonly doc: string };

const byOf = (name: string, filter: Filter): string => (typeof filter === "string" ? name : filter.by);

type Shown = Omit<WiredAttribute, "mode">;

/** An attribute of an object in a list, and PVE's option that it shows. */
export const shown = <T extends Type>(type: T, wire: string, doc: string) => ({ type, wire, doc }) as const;

export interface CollectionSource extends DataSourceDefinition<Attributes, Session> {
  readonly collection: CollectionDefinition;
}

export function defineCollection(definition: CollectionDefinition): CollectionSource {
  const { type, subcategory, doc, key, items, filters = {} } = definition;
  const given = definition.arguments ?? {};
  const attributes = asFound(definition);
  const model = new ObjectModel({ noun: items, identity: [], attributes });
  const source = defineDataSource({
    type,
    subcategory,
    doc,
    attributes: { ...given, ...filtersOf(definition), ...resultsOf(definition, attributes) },

    async read({ api, config, signal }) {
      const rows = await fetchRows(definition, api, config as Members, signal);
      const wanted = Object.entries(filters).flatMap(([name, filter]) => {
        const value = (config as Members)[name];
        return value === null ? [] : [(one: Members) => fits(one[byOf(name, filter)], value)];
      });
      const objects = rows
        .map((row) => model.parse(row, {}, null))
        .filter((one) => wanted.every((isWanted) => isWanted(one)));
      objects.sort((a, b) => compare(a[key], b[key]));
      return { [`${key}s`]: [...new Set(objects.map((one) => one[key]))], [items]: objects } as never;
    },
  });
  return { ...(source as DataSourceDefinition<Attributes, Session>), collection: definition };
}

async function fetchRows(definition: CollectionDefinition, api: Session, config: Members, signal: AbortSignal) {
  const { path, fixed = {}, arguments: attributes = {}, items, rows } = definition;
  const refuse = (at: unknown, summary: string, detail: string): never => {
    throw new Failure(summary, detail, { path: at as string[] });
  };
  for (const referral of referralsIn(attributes, config, null)) await checkReference(api, { error: refuse }, referral);
  const model = new ObjectModel({ noun: items, identity: [], attributes });
  const given = { ...fixed, ...model.toParameters(model.remaining({}, config).set) };
  const answer = await api.collect(path, given, { signal });
  return rows ? rows({ api, answer, given, signal }) : answer;
}

/** Attributes of an object as they are looked up. */
const asFound = ({ attributes, key }: CollectionDefinition): Wired =>
  Object.fromEntries(
    Object.entries(attributes).map(([name, attribute]) => {
      const isThere = name === key || attribute.absent !== undefined;
      return [name, { ...attribute, type: isThere ? attribute.type : nullable(attribute.type), mode: "computed" }];
    }),
  );

function filtersOf({ filters = {}, attributes }: CollectionDefinition): Attributes {
  return Object.fromEntries(
    Object.entries(filters).map(([name, filter]): [string, Attribute] => {
      const type = elementOf(attributes[byOf(name, filter)]?.type ?? string());
      const beginning = typeof filter === "string" ? filter : filter.doc;
      const isPattern = type.shape.kind === "string" && type.allowed === undefined;
      const pattern = "; `*` and `?` stand for any characters, any one character";
      return [name, { type, mode: "optional", doc: `${beginning}${isPattern ? pattern : ""}. Left out: any.` }];
    }),
  );
}

function resultsOf({ attributes, key, items }: CollectionDefinition, object: Wired): Attributes {
  const keyType = attributes[key]?.type ?? string();
  const order = keyType.shape.kind === "number" ? "ascending" : "alphabetical";
  return {
    [`${key}s`]: {
      type: list(keyType),
      mode: "computed",
      doc: `\`${key}\` of everything that was found, each once, in ${order} order.`,
    },
    [items]: { type: list(nested(object)), mode: "computed", doc: `What was found, ordered by \`${key}\`.` },
  };
}

const elementOf = (type: Type): Type =>
  type.shape.kind === "list" || type.shape.kind === "set" ? type.shape.element : type;

function fits(value: unknown, wanted: unknown): boolean {
  if (Array.isArray(value)) return value.some((item) => fits(item, wanted));
  if (value === null || value === undefined) return false;
  return typeof wanted === "string" ? glob(wanted)(String(value)) : value === wanted;
}

function compare(a: unknown, b: unknown): number {
  if (typeof a === "number" && typeof b === "number") return a - b;
  return String(a) < String(b) ? -1 : 1;
}
