import type { Path } from "../diagnostics.ts";
import type { Attribute, Attributes } from "../schema/attribute.ts";
import { resolvePath } from "../schema/path.ts";
import type { Type } from "../schema/type.ts";
import { getAt } from "../values/place.ts";
import {
  equal,
  isMap,
  isNull,
  isUnknown,
  isWhollyKnown,
  memberOf,
  membersOf,
  type Value,
  withoutNulls,
} from "../values/value.ts";
import { atAttribute, atKey, elementByKey, isDecided, isUndoable, membersIn } from "./lines.ts";
import { Memory, pathKey } from "./memory.ts";
import { reconcile } from "./reconcile.ts";

/** Something that a configuration decides, and what it decides about it. */
interface Line {
  readonly path: Path;
  readonly attribute: Attribute;
  readonly config: Value;
  /** An object, or an element of a map: what is in it has lines of its own. */
  readonly isObject: boolean;
}

/** Whether any attribute of the resource has lines that can be undone. */
export const hasLines = (attributes: Attributes): boolean =>
  Object.values(attributes).some((attribute) => isUndoable(attribute, false) || attribute.writeOnly !== undefined);

/** Every line of a configuration that is undone when it leaves. */
function linesOf(attributes: Attributes, config: Value, path: Path = []): Line[] {
  return Object.entries(attributes).flatMap(([name, attribute]): Line[] => {
    const [here, value] = [atAttribute(path, name), memberOf(config, name)];
    const line = { path: here, attribute, config: value, isObject: false };
    if (attribute.writeOnly) return isNull(value) || attribute.undo === "ignore" ? [] : [line];
    if (!isUndoable(attribute, path.length > 0)) return [];
    const [inner, element] = [membersIn(attribute.type), elementByKey(attribute)];
    if (!inner && !element) return isDecided(attributes, name, config) ? [line] : [];
    if (inner) return isMap(value) ? [{ ...line, isObject: true }, ...linesOf(inner, value, here)] : [];
    const members = element && membersIn(element);
    return [...withoutNulls(membersOf(value))].flatMap(([key, member]): Line[] => {
      const place = {
        path: atKey(here, key),
        attribute: { ...attribute, type: element ?? attribute.type },
        config: member,
      };
      if (!members) return [{ ...place, isObject: false }];
      return [{ ...place, isObject: true }, ...linesOf(members, member, place.path)];
    });
  });
}

/** Whether the configuration has a line about which nothing is remembered yet. */
export const hasNewLines = (attributes: Attributes, config: Value, memory: Memory | undefined): boolean =>
  linesOf(attributes, config).some(({ path }) => !memory?.has(path));

interface Beginning {
  readonly attributes: Attributes;
  readonly config: Value;
  /** The object as it is without the new lines; unknown where that is not known. */
  readonly before: Value;
  /** The object was made just now, so what is there is there without any line. */
  readonly isNew: boolean;
}

/** Adds what each line that takes effect for the first time takes the place of; what is remembered already stays. */
export function remember(memory: Memory | undefined, { attributes, config, before, isNew }: Beginning): Memory {
  const result = memory?.copy() ?? new Memory();
  const lines = linesOf(attributes, config);
  // What is already as the line wants it may have been set by the line: in a run that was cut off, or before an import.
  const isTaken = (line: Line): boolean => !isNew && isAsWanted(line, lines, before);
  for (const line of lines) {
    if (!result.has(line.path)) result.note(line.path, isTaken(line) ? undefined : wasAt(line, before));
  }
  return result;
}

function wasAt({ path, attribute, isObject }: Line, before: Value): Value | "present" | undefined {
  if (attribute.writeOnly || attribute.sensitive) return undefined;
  const was = placeIn(before, path);
  if (isUnknown(was)) return undefined;
  if (isObject) return isNull(was) ? null : "present";
  return isWhollyKnown(was) ? was : undefined;
}

function isAsWanted(line: Line, lines: readonly Line[], before: Value): boolean {
  const { path, attribute, config, isObject } = line;
  const was = placeIn(before, path);
  if (isNull(was)) return false;
  if (!isObject) return equal(reconcile(attribute.type, config, was), was);
  const inside = lines.filter(
    (other) => other.path.length > path.length && isWithin(other.path, path) && !other.isObject,
  );
  return inside.length > 0 && inside.every((other) => isAsWanted(other, lines, before));
}

const isWithin = (path: Path, outer: Path): boolean =>
  outer.every((step, index) => JSON.stringify(step) === JSON.stringify(path[index]));

/** The value at a place; null where an object on the way is not there, unknown where it is not known. */
function placeIn(value: Value, path: Path): Value {
  const found = getAt(value, path);
  if (found !== undefined) return found;
  for (let length = path.length - 1; length > 0; length--) {
    const outer = getAt(value, path.slice(0, length));
    if (outer !== undefined) return isUnknown(outer) ? outer : null;
  }
  return null;
}

/** Forgets the lines that are no longer in the configuration, once they are undone. */
export function forget(memory: Memory, attributes: Attributes, config: Value): Memory {
  const lines = new Set(linesOf(attributes, config).map(({ path }) => pathKey(path)));
  return memory.filter((key) => lines.has(key));
}

/** The same after a change that failed: only lines that have gone back by now are forgotten. */
export function forgetUndone(memory: Memory, root: Type, config: Value, state: Value): Memory {
  const lines = new Set(linesOf(membersIn(root) ?? {}, config).map(({ path }) => pathKey(path)));
  return memory.filter((key, words) => {
    if (lines.has(key)) return true;
    const { path, type, complete } = resolvePath(root, words);
    const was = complete ? memory.valueAt(path, type) : undefined;
    return was === undefined || !equal(was, placeIn(state, path));
  });
}
