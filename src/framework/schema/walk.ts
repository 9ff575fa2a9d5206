import type { Path } from "../diagnostics.ts";
import { elementsOf, isList, isMap, memberOf, setOf, type Value } from "../values/value.ts";
import type { Attribute, Attributes } from "./attribute.ts";
import { counterparts } from "./counterparts.ts";
import type { Type } from "./type.ts";

/** One attribute met during a walk through a value, at any depth. */
export interface Site {
  readonly name: string;
  readonly attribute: Attribute;
  /** Ends at a set, since Terraform cannot address its elements. */
  readonly path: Path;
  readonly value: Value;
  /** The object it is a member of. */
  readonly object: Value;
  /** The same attribute in the other values of the walk; null where they have no such place. */
  readonly parallel: readonly Value[];
  /** The objects that contain those attributes; null where there is none. */
  readonly parallelObjects: readonly Value[];
  /** The value with the visitor's results for all attributes inside it. */
  descend(): Value;
}

/**
 * Rebuilds an object attribute by attribute from the results of `visit`, and walks other values in parallel: members
 * are matched by name, elements by key or index, and elements of a set by similarity.
 */
export function transform(
  attributes: Attributes,
  value: Value,
  parallel: readonly Value[],
  visit: (site: Site) => Value,
  path: Path = [],
): Value {
  if (!isMap(value)) return value;
  const members = Object.entries(attributes).map(([name, attribute]): [string, Value] => {
    const here = [...path, { attribute: name }];
    const mine = memberOf(value, name);
    const theirs = parallel.map((other) => memberOf(other, name));
    const site = {
      name,
      attribute,
      path: here,
      value: mine,
      object: value,
      parallel: theirs,
      parallelObjects: parallel,
      descend: () => within(attribute.type, mine, theirs, visit, here),
    };
    return [name, visit(site)];
  });
  return new Map(members);
}

/** Walks without rebuilding; `visit` need not descend. */
export function forEachAttribute(
  attributes: Attributes,
  value: Value,
  parallel: readonly Value[],
  visit: (site: Site) => void,
): void {
  transform(attributes, value, parallel, (site) => {
    visit(site);
    return site.descend();
  });
}

function within(
  { shape }: Type,
  value: Value,
  parallel: readonly Value[],
  visit: (site: Site) => Value,
  path: Path,
): Value {
  if (shape.kind === "nested") return transform(shape.attributes, value, parallel, visit, path);
  if (shape.kind !== "list" && shape.kind !== "set" && shape.kind !== "map") return value;
  const { element } = shape;
  if (element.shape.kind !== "nested") return value;
  if (shape.kind === "map") {
    if (!isMap(value)) return value;
    return new Map(
      [...value].map(([key, member]) => {
        const theirs = parallel.map((other) => memberOf(other, key));
        return [key, within(element, member, theirs, visit, [...path, { key }])];
      }),
    );
  }
  if (!isList(value)) return value;
  const others = parallel.map((other) =>
    shape.kind === "set" ? counterparts(element, value, elementsOf(other)) : elementsOf(other),
  );
  const elements = value.map((member, index) => {
    const theirs = others.map((other) => other[index] ?? null);
    return within(element, member, theirs, visit, shape.kind === "set" ? path : [...path, { index }]);
  });
  return shape.kind === "set" ? setOf(elements) : elements;
}
