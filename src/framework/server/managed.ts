import type { IdentityDefinition, IdentityOf, LeavingKey, ResourceDefinition } from "../define/resource-definition.ts";
import { hasLines } from "../plan/remember.ts";
import { type Undone, undo } from "../plan/undo.ts";
import { type Attribute, type Attributes, isComputed } from "../schema/attribute.ts";
import { show } from "../schema/show.ts";
import { takeObject } from "../schema/take.ts";
import type { Type } from "../schema/type.ts";
import { nested } from "../schema/types.ts";
import { memberOf, type Value, type ValueMap } from "../values/value.ts";
import { PrivateState } from "./private-state.ts";

export type AnyResource = ResourceDefinition<Attributes, string, object, unknown>;

/** The identity of an object as hooks see it. */
export type Id = IdentityOf<Attributes, string>;

/** A managed resource with what follows from its definition, worked out when it is first needed. */
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

  showIdentity(identity: Value): Id {
    return show(this.identityType, identity, "state") as Id;
  }

  /** What a hook returned as identity, as a value. Throws `SchemaMismatch`. */
  takeIdentity(id: Id): Value {
    return takeObject(this.#identityAttributes, id, "observed");
  }

  /** The part of a state that the identity makes up; everything else is null. */
  stateOf(identity: Value, base: Value = null): ValueMap {
    const names = new Set(this.identity.attributes);
    return new Map(
      Object.keys(this.attributes).map((name) => [
        name,
        names.has(name) ? memberOf(identity, name) : memberOf(base, name),
      ]),
    );
  }

  /** Lines that leave are undone by an update; without one, every change would mean a new object. */
  get canUndo(): boolean {
    return this.definition.update !== undefined && hasLines(this.attributes);
  }

  /** What becomes of the lines that left the configuration since it was applied. */
  undo(prior: Value, config: Value, { memory }: PrivateState): Undone & { readonly keys: readonly LeavingKey[] } {
    if (prior === null || !this.canUndo) return { restored: prior, leaving: [], keys: [], staying: [], untold: [] };
    const undone = undo({ attributes: this.attributes, prior, config }, memory);
    return { ...undone, keys: undone.leaving.map(showLeaving) };
  }

  privateState(bytes: Uint8Array): PrivateState {
    return new PrivateState(bytes, this.definition.privateState);
  }
}

function showLeaving({ path, type, before, isRemembered }: Undone["leaving"][number]): LeavingKey {
  const words = path.map((step) => ("key" in step ? step.key : "attribute" in step ? step.attribute : ""));
  return { path: words as [string, ...string[]], before: show(type, before, "desired"), isRemembered };
}

/** What identifies an object never changes without its becoming another one, whether its author says so or not. */
const lasting = (attribute: Attribute): Attribute => ({
  replace: true,
  ...(isComputed(attribute) ? { keep: true } : {}),
  ...attribute,
});

const isNames = (identity: readonly string[] | IdentityDefinition<string>): identity is readonly string[] =>
  Array.isArray(identity);
