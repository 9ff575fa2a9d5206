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
import { OriginalValues, PresentObject, pathKey } from "./original-values.ts";
import { reconcile } from "./reconcile.ts";
import { atAttribute, atKey, elementByKey, isDecided, isUndoable, membersIn } from "./undoable.ts";

/** A place that the configuration sets, and its configured value. */
interface Argument {
  readonly path: Path;
  readonly attribute: Attribute;
  readonly config: Value;
  /** An object, or an element of a map: its members are arguments of their own. */
  readonly isObject: boolean;
}

/** Whether any attribute of the resource has arguments that can be undone. */
export const hasUndoable = (attributes: Attributes): boolean =>
  Object.values(attributes).some(
    (attribute) =>
      isUndoable(attribute, false) ||
      attribute.writeOnly !== undefined ||
      hasUndoable(membersIn(attribute.type) ?? nothing),
  );

const nothing: Attributes = {};

/**
 * Every argument of a configuration that is undone when it is removed. `isInside`: in an object that may be computed, where
 * any member may be. In a plain object, only members that say so are.
 */
function argumentsOf(attributes: Attributes, config: Value, path: Path = [], isInside = false): Argument[] {
  return Object.entries(attributes).flatMap(([name, attribute]): Argument[] => {
    const [here, value] = [atAttribute(path, name), memberOf(config, name)];
    const argument = { path: here, attribute, config: value, isObject: false };
    if (attribute.writeOnly) return isNull(value) || attribute.undo === "ignore" ? [] : [argument];
    const [inner, element] = [membersIn(attribute.type), elementByKey(attribute)];
    if (!isUndoable(attribute, isInside)) return inner && isMap(value) ? argumentsOf(inner, value, here) : [];
    if (!inner && !element) return isDecided(attributes, name, config) ? [argument] : [];
    if (inner) return isMap(value) ? [{ ...argument, isObject: true }, ...argumentsOf(inner, value, here, true)] : [];
    const members = element && membersIn(element);
    return [...withoutNulls(membersOf(value))].flatMap(([key, member]): Argument[] => {
      const place = {
        path: atKey(here, key),
        attribute: { ...attribute, type: element ?? attribute.type },
        config: member,
      };
      if (!members) return [{ ...place, isObject: false }];
      return [{ ...place, isObject: true }, ...argumentsOf(members, member, place.path, true)];
    });
  });
}

/** Whether the configuration has an argument without a recorded original value. */
export const hasNewArguments = (
  attributes: Attributes,
  config: Value,
  originals: OriginalValues | undefined,
): boolean => argumentsOf(attributes, config).some(({ path }) => !originals?.has(path));

interface Recording {
  readonly attributes: Attributes;
  readonly config: Value;
  /** The object without the new arguments; unknown where that is not known. */
  readonly before: Value;
  /** The object was just created, so no argument has changed it yet. */
  readonly isNew: boolean;
}

/** Records what each argument replaces when it first takes effect; existing records stay. */
export function recordOriginals(
  originals: OriginalValues | undefined,
  { attributes, config, before, isNew }: Recording,
): OriginalValues {
  const result = originals?.copy() ?? new OriginalValues();
  const args = argumentsOf(attributes, config);
  // If the value already equals the argument, the argument may have set it: in an interrupted run, or before an import.
  const mayBeOwn = (argument: Argument): boolean => !isNew && isAsWanted(argument, args, before);
  for (const argument of args) {
    if (!result.has(argument.path))
      result.note(argument.path, mayBeOwn(argument) ? undefined : wasAt(argument, before));
  }
  return withOwners(result, args);
}

function wasAt({ path, attribute, isObject }: Argument, before: Value): Value | PresentObject | undefined {
  if (attribute.writeOnly || attribute.sensitive) return undefined;
  const was = placeIn(before, path);
  if (isUnknown(was)) return undefined;
  if (isObject) return isNull(was) ? null : new PresentObject(absentIn(attribute, was));
  return isWhollyKnown(was) ? was : undefined;
}

/** Members that the argument for their object brings, whichever others it has. */
const absentIn = ({ type }: Attribute, was: Value): string[] =>
  Object.entries(membersIn(type) ?? nothing).flatMap(([name, { undo }]) =>
    undo === "with_object" && isNull(memberOf(was, name)) ? [name] : [],
  );

function isAsWanted(argument: Argument, args: readonly Argument[], before: Value): boolean {
  const { path, attribute, config, isObject } = argument;
  const was = placeIn(before, path);
  if (isNull(was)) return false;
  if (!isObject) return equal(reconcile(attribute.type, config, was), was);
  const inside = args.filter(
    (other) => other.path.length > path.length && isWithin(other.path, path) && !other.isObject,
  );
  return inside.length > 0 && inside.every((other) => isAsWanted(other, args, before));
}

const isWithin = (path: Path, outer: Path): boolean =>
  outer.every((step, index) => JSON.stringify(step) === JSON.stringify(path[index]));

/** The value at a place; null where an outer object is absent, unknown where it is unknown. */
function placeIn(value: Value, path: Path): Value {
  const found = getAt(value, path);
  if (found !== undefined) return found;
  for (let length = path.length - 1; length > 0; length--) {
    const outer = getAt(value, path.slice(0, length));
    if (outer !== undefined) return isUnknown(outer) ? outer : null;
  }
  return null;
}

/** Drops the records of arguments that are no longer in the configuration, once they are undone. */
export function dropRemoved(originals: OriginalValues, attributes: Attributes, config: Value): OriginalValues {
  const args = argumentsOf(attributes, config);
  const keys = new Set(args.map(({ path }) => pathKey(path)));
  return withOwners(
    originals.filter((key) => keys.has(key)),
    args,
  );
}

function withOwners(originals: OriginalValues, args: readonly Argument[]): OriginalValues {
  for (const { path, config } of args) originals.own(path, !isNull(config));
  return originals;
}

/** The same after a failed change: only the records of arguments that are undone by now are dropped. */
export function dropUndone(originals: OriginalValues, root: Type, config: Value, state: Value): OriginalValues {
  const args = new Set(argumentsOf(membersIn(root) ?? {}, config).map(({ path }) => pathKey(path)));
  return originals.filter((key, words) => {
    if (args.has(key)) return true;
    const { path, type, complete } = resolvePath(root, words);
    const was = complete ? originals.valueAt(path, type) : undefined;
    return was === undefined || !equal(was, placeIn(state, path));
  });
}
