import type { Path } from "../diagnostics.ts";
import { type Attribute, type Attributes, isComputed } from "../schema/attribute.ts";
import type { Type } from "../schema/type.ts";
import { UNKNOWN } from "../values/unknown.ts";
import { equal, isMap, isNull, isUnknown, memberOf, type Value, withoutNulls } from "../values/value.ts";
import { atAttribute, atKey, elementByKey, isDecided, isUndoable, membersIn } from "./lines.ts";
import type { Memory } from "./memory.ts";
import type { Change } from "./propose.ts";
import { reconcile } from "./reconcile.ts";

/** A key that leaves a map whose keys stand for themselves. */
export interface LeavingKey {
  readonly path: Path;
  readonly type: Type;
  /** What it becomes: null if it was not there, else what it was, as far as that is remembered. */
  readonly before: Value;
  readonly isRemembered: boolean;
}

/** A line that left although its value cannot go back. */
export interface Staying {
  readonly path: Path;
  readonly attribute: Attribute;
  /** `unknown`: nothing is remembered. `final`: it cannot be changed back. `needed`: it cannot be unset by itself. */
  readonly reason: "unknown" | "final" | "needed";
}

export interface Undone {
  /** The prior state with every line undone that left the configuration. */
  readonly restored: Value;
  readonly leaving: readonly LeavingKey[];
  readonly staying: readonly Staying[];
  /** Values that no line sets and about which nothing was ever remembered: a line may have set them. */
  readonly untold: readonly Staying[];
}

/** What becomes of the lines that left the configuration. */
export function undo({ attributes, prior, config }: Omit<Change, "proposed">, memory: Memory | undefined): Undone {
  return new Undoing(memory).run(attributes, prior, config);
}

class Undoing {
  readonly #memory: Memory | undefined;
  readonly #leaving: LeavingKey[] = [];
  readonly #staying: Staying[] = [];
  readonly #untold: Staying[] = [];

  constructor(memory: Memory | undefined) {
    this.#memory = memory;
  }

  run(attributes: Attributes, prior: Value, config: Value): Undone {
    const restored = this.#object(attributes, prior, config, []);
    return { restored, leaving: this.#leaving, staying: this.#staying, untold: this.#untold };
  }

  #object(attributes: Attributes, prior: Value, config: Value, path: Path): Value {
    if (!isMap(prior)) return prior;
    const members = new Map(
      Object.entries(attributes).map(([name, attribute]) => [
        name,
        this.#attribute(attributes, name, prior, config, atAttribute(path, name), attribute),
      ]),
    );
    // What depends on a value that goes back, and was never decided here, is for the server to say.
    for (const [name, { keep, mode }] of Object.entries(attributes)) {
      if (typeof keep !== "object" || mode !== "optional_computed" || isDecided(attributes, name, config)) continue;
      if (this.#memory?.has(atAttribute(path, name))) continue;
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
      const isLeft = isNull(wanted) && this.#memory?.has(path);
      if (isLeft) this.#staying.push({ path, attribute, reason: "unknown" });
      return before;
    }
    if (!isNull(wanted)) return this.#within(attribute, before, wanted, path);
    // What only Terraform knows goes with the object that it was written in.
    if (isNull(config) && attribute.local) return null;
    const isOpen = isNull(config) || isComputed(attribute);
    if (!isOpen || !isUndoable(attribute, path.length > 1)) return before;
    const [inner, element] = [membersIn(attribute.type), elementByKey(attribute)];
    if (inner) return isNull(before) ? before : this.#group(attribute, inner, before, path);
    if (element) return this.#keys(attribute, element, before, path);
    return isDecided(attributes, name, config) ? before : this.#value(attribute, before, path);
  }

  /** What is configured is as it is configured, but for what is not configured in it. */
  #within(attribute: Attribute, prior: Value, config: Value, path: Path): Value {
    if (isUnknown(config)) return prior;
    const inner = membersIn(attribute.type);
    if (inner) return this.#object(inner, prior, config, path);
    const element = elementByKey(attribute);
    if (!element || !isMap(prior) || !isMap(config)) return prior;
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

  #group(attribute: Attribute, inner: Attributes, prior: Value, path: Path): Value {
    if (this.#memory?.wasAbsent(path)) {
      if (attribute.type.nullable && attribute.undo === undefined) return null;
      this.#staying.push({ path, attribute, reason: attribute.undo === "never" ? "final" : "needed" });
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
      if (!this.#memory?.wasAbsent(here)) return [[key, this.#element(attribute, element, before, here)]];
      this.#leave(attribute, element, before, here);
      return [];
    });
    return entries.length === 0 && attribute.type.nullable ? null : new Map(entries);
  }

  #leave(attribute: Attribute, type: Type, prior: Value, path: Path): void {
    const isRemembered = this.#memory?.find(path)?.was !== undefined;
    const before = this.#memory?.wasAbsent(path) ? null : this.#element(attribute, type, prior, path);
    this.#leaving.push({ path, type, before, isRemembered });
  }

  #element(attribute: Attribute, type: Type, prior: Value, path: Path): Value {
    const inner = membersIn(type);
    return inner ? this.#object(inner, prior, null, path) : this.#value({ ...attribute, type }, prior, path);
  }

  #value(attribute: Attribute, prior: Value, path: Path): Value {
    if (!this.#memory?.has(path)) {
      if (this.#memory === undefined && attribute.type.nullable && attribute.undo === undefined && !isNull(prior)) {
        this.#untold.push({ path, attribute, reason: "unknown" });
      }
      return prior;
    }
    const before = this.#memory.valueAt(path, attribute.type);
    const stay = (reason: Staying["reason"]) => {
      this.#staying.push({ path, attribute, reason });
      return prior;
    };
    if (before === undefined) return isNull(prior) ? prior : stay("unknown");
    if (equal(reconcile(attribute.type, before, prior), prior)) return prior;
    if (attribute.undo === "never") return stay("final");
    if (isNull(before) && (attribute.undo === "to_value" || !attribute.type.nullable)) return stay("needed");
    return before;
  }
}
