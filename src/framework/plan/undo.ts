import type { Path } from "../diagnostics.ts";
import { type Attribute, type Attributes, isComputed } from "../schema/attribute.ts";
import type { Type } from "../schema/type.ts";
import { UNKNOWN } from "../values/unknown.ts";
import { equal, isMap, isNull, isUnknown, memberOf, type Value, type ValueMap, withoutNulls } from "../values/value.ts";
import type { OriginalValues } from "./original-values.ts";
import type { Change } from "./propose.ts";
import { reconcile } from "./reconcile.ts";
import { atAttribute, atKey, elementByKey, isDecided, isUndoable, membersIn } from "./undoable.ts";

/** A key that is removed from a map whose keys are independent. */
export interface LeavingKey {
  readonly path: Path;
  readonly type: Type;
  /** Its value afterwards: null if the key did not exist, else its original value, as far as that was recorded. */
  readonly before: Value;
  readonly isRemembered: boolean;
}

/** A removed argument whose value stays. */
export interface KeptValue {
  readonly path: Path;
  readonly attribute: Attribute;
  /**
   * `unknown`: nothing is recorded. `final`: it cannot be changed back. `needed`: it cannot be unset alone. `unmanaged`: it is
   * not managed if it is left out. `decided`: the argument of a sibling decides it.
   */
  readonly reason: "unknown" | "final" | "needed" | "unmanaged" | "decided";
}

export interface Undone {
  /** The prior state with every removed argument undone. */
  readonly restored: Value;
  readonly leaving: readonly LeavingKey[];
  readonly kept: readonly KeptValue[];
  /** Values without an argument and without any record: an argument may have set them. */
  readonly unrecorded: readonly KeptValue[];
}

const mayBeEmpty = ({ type: { shape }, undo }: Attribute): boolean =>
  undo === undefined && (shape.kind === "list" || shape.kind === "set");

/** Whether a secret that is not given any more is removed: its version changes. */
const isForgotten = ({ writeOnly, undo }: Attribute, prior: Value, config: Value): boolean =>
  typeof writeOnly === "object" &&
  undo === undefined &&
  !equal(memberOf(prior, writeOnly.trigger), memberOf(config, writeOnly.trigger));

/** Undoes the arguments that were removed from the configuration. */
export function undo(
  { attributes, prior, config }: Omit<Change, "proposed">,
  originals: OriginalValues | undefined,
): Undone {
  return new Undoing(originals).run(attributes, prior, config);
}

class Undoing {
  readonly #originals: OriginalValues | undefined;
  readonly #leaving: LeavingKey[] = [];
  readonly #kept: KeptValue[] = [];
  readonly #unrecorded: KeptValue[] = [];

  constructor(originals: OriginalValues | undefined) {
    this.#originals = originals;
  }

  run(attributes: Attributes, prior: Value, config: Value): Undone {
    const restored = this.#object(attributes, prior, config, []);
    return { restored, leaving: this.#leaving, kept: this.#kept, unrecorded: this.#unrecorded };
  }

  #object(attributes: Attributes, prior: Value, config: Value, path: Path): Value {
    if (!isMap(prior)) return prior;
    const members = new Map(
      Object.entries(attributes).map(([name, attribute]) => [
        name,
        this.#attribute(attributes, name, prior, config, atAttribute(path, name), attribute),
      ]),
    );
    // The server decides values that depend on a restored value and were never configured.
    for (const [name, { keep, mode }] of Object.entries(attributes)) {
      if (typeof keep !== "object" || mode !== "optional_computed" || isDecided(attributes, name, config)) continue;
      if (this.#originals?.has(atAttribute(path, name))) continue;
      const isTouched = keep.unless.some((other) => !equal(memberOf(members, other), memberOf(prior, other)));
      if (isTouched) members.set(name, UNKNOWN);
    }
    return members;
  }

  #attribute(
    attributes: Attributes,
    name: string,
    prior: Value,
    config: Value,
    path: Path,
    attribute: Attribute,
  ): Value {
    const [before, wanted] = [memberOf(prior, name), memberOf(config, name)];
    if (attribute.writeOnly) {
      const isLeft = isNull(wanted) && this.#originals?.has(path);
      if (isLeft && !isForgotten(attribute, prior, config)) this.#kept.push({ path, attribute, reason: "unknown" });
      return before;
    }
    if (!isNull(wanted)) return this.#within(attribute, before, wanted, path);
    if (isNull(config) && this.#originals?.lackedMember(path.slice(0, -1), name)) return null;
    // A local value is removed together with the argument for the object that contains it.
    if (isNull(config) && attribute.local) return this.#originals?.has(path.slice(0, -1)) ? null : before;
    const isOpen = isNull(config) || isComputed(attribute);
    if (!isOpen || !isUndoable(attribute, path.length > 1)) return before;
    const [inner, element] = [membersIn(attribute.type), elementByKey(attribute)];
    if (inner) return isNull(before) ? before : this.#group(attribute, inner, before, path);
    if (element) return this.#keys(attribute, element, before, path);
    if (!isDecided(attributes, name, config)) return this.#value(attribute, before, path);
    if (this.#isLeftToSibling(attribute, prior, config, path)) this.#kept.push({ path, attribute, reason: "decided" });
    return before;
  }

  /** Whether its own argument was removed, and the sibling that decides the value too stays as it is. */
  #isLeftToSibling({ keep, type }: Attribute, prior: Value, config: Value, path: Path): boolean {
    if (typeof keep !== "object" || !this.#originals?.find(path)?.own) return false;
    const [name] = path.slice(-1).flatMap((step) => ("attribute" in step ? [step.attribute] : []));
    const [before, was] = [memberOf(prior, name ?? ""), this.#originals.valueAt(path, type)];
    const isSame = keep.unless.every((other) => {
      const wanted = memberOf(config, other);
      return isNull(wanted) || equal(wanted, memberOf(prior, other));
    });
    return isSame && !isNull(before) && (was === undefined || !equal(was, before));
  }

  /** A configured value stays, except for members of it that are not configured. */
  #within(attribute: Attribute, prior: Value, config: Value, path: Path): Value {
    if (isUnknown(config)) return prior;
    const inner = membersIn(attribute.type);
    if (inner) return this.#object(inner, prior, config, path);
    const element = elementByKey(attribute);
    if (!element || !isMap(prior) || !isMap(config)) return prior;
    if (config.size === 0 && this.#hasNoArguments(prior, path)) return prior;
    const entries = [...withoutNulls(prior)].flatMap(([key, before]): [string, Value][] => {
      const [here, wanted] = [atKey(path, key), memberOf(config, key)];
      if (isNull(wanted)) {
        this.#leave(attribute, element, before, here);
        return [];
      }
      const members = membersIn(element);
      return [[key, members && !isUnknown(wanted) ? this.#object(members, before, wanted, here) : before]];
    });
    return new Map(entries);
  }

  /** A map without keys mentions none, and so leaves all of them alone, as no map at all does. */
  #hasNoArguments(prior: ValueMap, path: Path): boolean {
    const originals = this.#originals;
    return originals !== undefined && [...prior.keys()].every((key) => !originals.has(atKey(path, key)));
  }

  #group(attribute: Attribute, inner: Attributes, prior: Value, path: Path): Value {
    if (this.#originals?.wasAbsent(path)) {
      if (attribute.type.nullable && attribute.undo === undefined) return null;
      this.#kept.push({ path, attribute, reason: attribute.undo === "never" ? "final" : "needed" });
      return prior;
    }
    const members = this.#object(inner, prior, null, path);
    const isNothing = attribute.type.nullable && isMap(members) && [...members.values()].every(isNull);
    return isNothing ? null : members;
  }

  #keys(attribute: Attribute, element: Type, prior: Value, path: Path): Value {
    if (!isMap(prior)) return prior;
    const entries = [...withoutNulls(prior)].flatMap(([key, before]): [string, Value][] => {
      const here = atKey(path, key);
      if (!this.#originals?.wasAbsent(here)) return [[key, this.#element(attribute, element, before, here)]];
      this.#leave(attribute, element, before, here);
      return [];
    });
    return entries.length === 0 && attribute.type.nullable ? null : new Map(entries);
  }

  #leave(attribute: Attribute, type: Type, prior: Value, path: Path): void {
    const isRemembered = this.#originals?.find(path)?.was !== undefined;
    const before = this.#originals?.wasAbsent(path) ? null : this.#element(attribute, type, prior, path);
    this.#leaving.push({ path, type, before, isRemembered });
  }

  #element(attribute: Attribute, type: Type, prior: Value, path: Path): Value {
    const inner = membersIn(type);
    return inner ? this.#object(inner, prior, null, path) : this.#value({ ...attribute, type }, prior, path);
  }

  #value(attribute: Attribute, prior: Value, path: Path): Value {
    if (!this.#originals?.has(path)) {
      if (this.#originals === undefined && attribute.type.nullable && attribute.undo === undefined && !isNull(prior)) {
        this.#unrecorded.push({ path, attribute, reason: "unknown" });
      }
      return prior;
    }
    const before = this.#originals.valueAt(path, attribute.type);
    const stay = (reason: KeptValue["reason"]) => {
      this.#kept.push({ path, attribute, reason });
      return prior;
    };
    if (before === undefined) return isNull(prior) ? prior : stay("unknown");
    if (equal(reconcile(attribute.type, before, prior), prior)) return prior;
    if (attribute.undo === "never") return stay("final");
    const mayBeAbsent = attribute.type.nullable && !attribute.undo;
    if (isNull(before) && !mayBeAbsent) return stay(mayBeEmpty(attribute) ? "unmanaged" : "needed");
    return before;
  }
}
