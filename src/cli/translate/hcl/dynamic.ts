import { attributeOf, type Block, type Body, blocksOf } from "./document.ts";
import type { Expr } from "./expr.ts";
import type { Node } from "./syntax.ts";

/** A `dynamic` block: what it repeats, under which name, and what it makes of each. */
export interface Dynamic {
  readonly type: string;
  readonly iterator: string;
  readonly content: Body;
  readonly items: Expr;
  readonly block: Block;
}

/** Undefined: not complete. */
export function dynamicOf(block: Block, expr: (node: Node) => Expr): Dynamic | undefined {
  const [type = ""] = block.labels;
  const items = attributeOf(block.body, "for_each");
  const [content] = blocksOf(block.body, "content");
  if (items === undefined || content === undefined) return undefined;
  const iterator = attributeOf(block.body, "iterator");
  const name = iterator === undefined ? type : expr(iterator.value).text;
  return { type, iterator: name, content: content.body, items: expr(items.value), block };
}

/** Elements with the members that a `dynamic` block gives them, so that its expressions stay as they are. */
export const elements = (items: Expr): string => `[for key, value in ${items.text} : { key = key, value = value }]`;

/** The value for the only element, or null. */
export function optional({ items, iterator }: Dynamic, value: string): string {
  const usesIterator = new RegExp(`\\b${iterator}\\.(?:key|value)\\b`).test(value);
  const { condition } = items;
  if (condition !== undefined && !usesIterator) return `${condition} ? ${value} : null`;
  return `one([for ${iterator} in ${elements(items)} : ${value}])`;
}

/** A map with a value for each element. */
export const mapped = ({ items, iterator }: Dynamic, key: string, value: string, index = ""): string =>
  `{ for ${index === "" ? "" : `${index}, `}${iterator} in ${elements(items)} : ${key} => ${value} }`;

/** A list with a value for each element. */
export const listed = ({ items, iterator }: Dynamic, value: string): string =>
  `[for ${iterator} in ${elements(items)} : ${value}]`;
