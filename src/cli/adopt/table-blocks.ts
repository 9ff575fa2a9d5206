import type { Adopted } from "./collect.ts";
import { block, Expression, row, setOf } from "./hcl.ts";
import { keyOf, type Leaves, leavesOf, type Table } from "./tables.ts";

/** One import block and one resource for all rows of a table. */
export function tableBlocks(type: string, table: Table, rows: readonly Adopted[]): string[] {
  const { name, columns } = table;
  const address = new Expression(`${type}.${name}[each.key]`);
  const ids = new Map(rows.map((one) => [keyOf(one, table), one.importId]));
  const isKeyed = [...ids].every(([key, id]) => key === id);
  const cells = (leaves: Leaves) =>
    Object.fromEntries([...columns].map(([place, column]) => [column, leaves.get(place)]));
  const members = new Map(rows.map((one) => [keyOf(one, table), row(cells(leavesOf(one.values)))]));
  // Without columns the keys say everything.
  const forEach = columns.size === 0 ? setOf([...members.keys()]) : Object.fromEntries(members);
  const values = inEach(rows[0]?.values ?? {}, table);
  return [
    block("import", {
      for_each: isKeyed ? setOf([...ids.keys()]) : Object.fromEntries(ids),
      to: address,
      id: new Expression(isKeyed ? "each.key" : "each.value"),
    }),
    block(`resource "${type}" "${name}"`, { for_each: forEach, ...(values as object) }),
  ];
}

/** What is said of every row, with the cells of the table where they differ. */
function inEach(value: unknown, table: Table, place = ""): unknown {
  if (place !== "" && place === table.key) return new Expression("each.key");
  const column = table.columns.get(place);
  if (column !== undefined) return new Expression(`each.value.${column}`);
  const isInner = typeof value === "object" && value !== null && value.constructor === Object;
  if (!isInner) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [
      name,
      inEach(one, table, place === "" ? name : `${place}\u0000${name}`),
    ]),
  );
}
