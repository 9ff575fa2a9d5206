import type { IdentityDefinition, IdentityOf, LeavingKey, ResourceDefinition } from "../define/resource-definition.ts";
import { hasUndoable } from "../plan/record-originals.ts";
import { type Undone, undo } from "../plan/undo.ts";
import { type Attribute, type Attributes, isComputed } from "../schema/attribute.ts";
import { fromObjectView } from "../schema/from-view.ts";
import { toView } from "../schema/to-view.ts";
import type { Type } from "../schema/type.ts";
import { nested } from "../schema/types.ts";
import { memberOf, type Value, type ValueMap } from "../values/value.ts";
import { PrivateState } from "./private-state.ts";

export type AnyResource = ResourceDefinition<Attributes, string, object, unknown, unknown>;

/** The identity of an object as hooks see it. */
export type Id = IdentityOf<Attributes, string>;

/** A managed resource with the facts derived from its definition, computed when first needed. */
export class Managed {
  readonly definition: AnyResource;
  readonly attributes: Attributes;
  readonly root: Type;
  readonly identity: IdentityDefinition<string>;
  readonly identityType: Type;
  readonly #identityAttributes: Attributes;

  constructor(definition: AnyResource) {
    const { attributes, identity = [] } = definition;
    this.definition = definition;
    this.identity = isNames(identity) ? { attributes: identity } : identity;
    const names = new Set<string>(this.identity.attributes);
    const identifying = Object.entries(attributes).filter(([name]) => names.has(name));
    this.#identityAttributes = Object.fromEntries(identifying.map(([name, attribute]) => [name, lasting(attribute)]));
    this.attributes = { ...attributes, ...this.#identityAttributes };
    this.root = nested(this.attributes);
    this.identityType = nested(this.#identityAttributes);
  }

  get type(): string {
    return this.definition.type;
  }

  get hasIdentity(): boolean {
    return this.identity.attributes.length > 0;
  }

  /** The identity in a state or plan, as a value. */
  identityIn(state: Value): ValueMap {
    return new Map(this.identity.attributes.map((name) => [name, memberOf(state, name)]));
  }

  identityView(identity: Value): Id {
    return toView(this.identityType, identity, "state") as Id;
  }

  /** The identity that a hook returned, as a value. Throws `SchemaMismatch`. */
  identityFrom(id: Id): Value {
    return fromObjectView(this.#identityAttributes, id, "observed");
  }

  /** A state that contains only the identity; everything else is null. */
  stateOf(identity: Value, base: Value = null): ValueMap {
    const names = new Set(this.identity.attributes);
    return new Map(
      Object.keys(this.attributes).map((name) => [
        name,
        names.has(name) ? memberOf(identity, name) : memberOf(base, name),
      ]),
    );
  }

  /** An update undoes removed arguments; without one, every change would require a new object. */
  get canUndo(): boolean {
    return this.definition.update !== undefined && hasUndoable(this.attributes);
  }

  /** How the arguments removed since the last apply are undone. */
  undo(prior: Value, config: Value, { originals }: PrivateState): Undone & { readonly keys: readonly LeavingKey[] } {
    if (prior === null || !this.canUndo) return { restored: prior, leaving: [], keys: [], kept: [], unrecorded: [] };
    const undone = undo({ attributes: this.attributes, prior, config }, originals);
    return { ...undone, keys: undone.leaving.map(toLeavingKey) };
  }

  privateState(bytes: Uint8Array): PrivateState {
    return new PrivateState(bytes, this.definition.privateState);
  }
}

function toLeavingKey({ path, type, before, isRemembered }: Undone["leaving"][number]): LeavingKey {
  const words = path.map((step) => ("key" in step ? step.key : "attribute" in step ? step.attribute : ""));
  return { path: words as [string, ...string[]], before: toView(type, before, "desired"), isRemembered };
}

/** A changed identity always means another object, whether or not the author says so. */
const lasting = (attribute: Attribute): Attribute => ({
  replace: true,
  ...(isComputed(attribute) ? { keep: true } : {}),
  ...attribute,
});

const isNames = (identity: readonly string[] | IdentityDefinition<string>): identity is readonly string[] =>
  Array.isArray(identity);
