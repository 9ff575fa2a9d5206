import type { Attributes } from "./attribute.ts";
import type { Views } from "./views.ts";

declare const views: unique symbol;

/** How a value is built. `nested` is an object whose members are attributes with modes of their own. */
export type Shape =
  | { readonly kind: "string" }
  | { readonly kind: "bool" }
  | { readonly kind: "number"; readonly as: "int" | "number" | "decimal" }
  | { readonly kind: "dynamic" }
  | { readonly kind: "list"; readonly element: Type }
  | { readonly kind: "set"; readonly element: Type }
  | { readonly kind: "map"; readonly element: Type }
  | { readonly kind: "tuple"; readonly elements: readonly Type[] }
  | { readonly kind: "object"; readonly members: { readonly [name: string]: Type } }
  | { readonly kind: "nested"; readonly attributes: Attributes };

export interface Allowed {
  readonly words?: readonly string[];
  readonly min?: number;
  readonly max?: number;
}

/** Says what is wrong with a known value, as a sentence for the user, or returns undefined. */
export type Check<T> = (value: T) => string | undefined;

/** The type of a value at run time and, in `V`, its views for authors. Made by the builders in `types.ts`. */
export interface Type<V extends Views = Views> {
  readonly shape: Shape;
  readonly checks: readonly Check<unknown>[];
  /**
   * Whether null is allowed inside a collection or object, where Terraform accepts it but most authors do not expect
   * it.
   */
  readonly nullable: boolean;
  /** For an object of attributes: setting none of them is meaningful, so it is not a mistake. */
  readonly mayBeEmpty?: boolean;
  /** The allowed values, where they can be listed; part of the documentation. */
  readonly allowed?: Allowed;
  /** Two spellings of one value (`"8G"`, `"8192M"`): the stored one stays, and no change is planned. */
  readonly same?: (a: unknown, b: unknown) => boolean;
  readonly [views]?: V;
}

/**
 * Whether null in a map means that its key is absent: `{ scsi1 = var.data ? { … } : null }` is the only way to omit a
 * key on a condition. Terraform keeps such a key from the configuration to the state; hooks never see it.
 */
export const isSlotMap = ({ shape }: Type): boolean =>
  shape.kind === "map" && shape.element.shape.kind === "nested" && !shape.element.nullable;

export type MemberTypes = readonly (readonly [name: string, type: Type])[];

const memberTypesOf = new WeakMap<Shape, MemberTypes>();

/** The names and types of an object's members: every value of it is read and written with them. */
export function memberTypes(shape: Extract<Shape, { kind: "object" | "nested" }>): MemberTypes {
  const known = memberTypesOf.get(shape);
  if (known) return known;
  const types =
    shape.kind === "object"
      ? Object.entries(shape.members)
      : Object.entries(shape.attributes).map(([name, { type }]) => [name, type] as const);
  memberTypesOf.set(shape, types);
  return types;
}
