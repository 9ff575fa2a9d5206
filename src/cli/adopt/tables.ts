import type { Adopted } from "./collect.ts";
import { ResourceNames } from "./names.ts";
import { Secret } from "./smallest.ts";

/** Objects of one type that differ in a few values only: one resource with `for_each`. */
export interface Table {
  /** The name of the resource: `web` */
  readonly name: string;
  /** Where the keys of the rows stand in the values; null if they are import IDs. */
  readonly key: string | null;
  /** Where the rows differ otherwise, and the names of those columns: `disks.scsi0.size`, `size`. */
  readonly columns: ReadonlyMap<string, string>;
}

const leastRows = 3;
const mostColumns = 6;
const longestCell = 80;

/** Places that identify an object, the best key first. */
const keys = ["name", "hostname", "id"];

/** Values by their place: lists are one value. */
export type Leaves = ReadonlyMap<string, unknown>;

export function leavesOf(value: unknown, place = "", into = new Map<string, unknown>()): Leaves {
  const isInner = typeof value === "object" && value !== null && value.constructor === Object;
  if (!isInner || Object.keys(value).length === 0) return into.set(place, value);
  for (const [name, one] of Object.entries(value)) leavesOf(one, place === "" ? name : `${place}\u0000${name}`, into);
  return into;
}

/** Puts the objects that form a table into it; the others stay as they are. */
export function inTables(adopted: readonly Adopted[]): Adopted[] {
  const names = new ResourceNames();
  const groups = Map.groupBy(adopted, ({ type, values }) => `${type} ${[...leavesOf(values).keys()].join("\n")}`);
  const tables = new Map<Adopted, Table>();
  const alone = new Set(adopted);
  const found = [...groups.values()].flatMap((rows) => {
    const form = rows.length < leastRows ? null : formOf(rows);
    return form === null ? [] : [{ rows, form }];
  });
  for (const { rows } of found) for (const row of rows) alone.delete(row);
  for (const { type, name } of alone) names.of(type, name);
  for (const { rows, form } of found) {
    const table = { ...form, name: names.of(rows[0]?.type ?? "", commonName(rows)) };
    for (const row of rows) tables.set(row, table);
  }
  return adopted.map((one) => ({ ...one, table: tables.get(one) ?? null }));
}

/** Null if the rows differ in more than a table can show. */
function formOf(rows: readonly Adopted[]): Omit<Table, "name"> | null {
  const leaves = rows.map(({ values }) => leavesOf(values));
  const places = [...(leaves[0]?.keys() ?? [])];
  const textsAt = (place: string) => leaves.map((row) => JSON.stringify(row.get(place)));
  if (leaves.some((row) => [...row.values()].some((value) => value instanceof Secret))) return null;
  const differing = places.filter((place) => new Set(textsAt(place)).size > 1);
  const key = keys.find((place) => differing.includes(place) && isKey(leaves.map((row) => row.get(place)))) ?? null;
  const columns = differing.filter((place) => place !== key);
  const isTable =
    columns.length <= mostColumns &&
    columns.every((place) => leaves.every((row) => isCell(row.get(place)))) &&
    (key !== null || isKey(rows.map(({ importId }) => importId)));
  return isTable ? { key, columns: columnNames(columns) } : null;
}

const isKey = (values: readonly unknown[]): boolean =>
  new Set(values).size === values.length && values.every((value) => typeof value === "string" && value !== "");

function isCell(value: unknown): boolean {
  const text = JSON.stringify(value);
  return text.length <= longestCell && !text.includes("\\n") && !/[{[].*[{[]/.test(text.replaceAll(/"[^"]*"/g, ""));
}

/** The last part of the place, and the whole of it where two would be called the same. */
function columnNames(places: readonly string[]): ReadonlyMap<string, string> {
  const names = new ResourceNames();
  return new Map(
    places.map((place) => {
      const parts = place.split("\u0000");
      const isAlone = places.filter((other) => other.split("\u0000").at(-1) === parts.at(-1)).length === 1;
      return [place, names.of("column", isAlone ? (parts.at(-1) ?? "") : parts.join("_"))];
    }),
  );
}

/** `web` for web_1 and web_2; otherwise what the objects are: `users`. */
function commonName(rows: readonly Adopted[]): string {
  const [first = "", ...others] = rows.map(({ name }) => name);
  let length = first.length;
  while (others.some((name) => !name.startsWith(first.slice(0, length)))) length--;
  const common = first.slice(0, length).replace(/[_\d]+$/, "");
  return common.length > 2 ? common : `${rows[0]?.type.replace("proxmox_", "")}s`;
}

/** The key of a row. */
export const keyOf = ({ importId, values }: Adopted, { key }: Table): string =>
  key === null ? importId : String(leavesOf(values).get(key));
