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

/** Says what is wrong with a known value, as a sentence for the person who wrote it, or nothing. */
export type Check<T> = (value: T) => string | undefined;

/** The type of a value at run time, and, in `V`, what authors see of it. Made by the builders in `types.ts`. */
export interface Type<V extends Views = Views> {
  readonly shape: Shape;
  readonly checks: readonly Check<unknown>[];
  /** Whether null may stand where Terraform would accept it but most authors would not: inside a collection or object. */
  readonly nullable: boolean;
  /** Of an object of attributes: to set none of them says something too, so it is no slip. */
  readonly mayBeEmpty?: boolean;
  /** What is allowed, where that can be listed; part of the documentation. */
  readonly allowed?: Allowed;
  /** Two spellings of one value (`"8G"`, `"8192M"`): the stored one is kept, and no change is planned. */
  readonly same?: (a: unknown, b: unknown) => boolean;
  readonly [views]?: V;
}

/**
 * Whether null in a map means that its key is not there: `{ scsi1 = var.data ? { … } : null }` is the only way to leave a
 * key out on a condition. Terraform keeps such a key from the configuration to the state; hooks never see it.
 */
export const isSlotMap = ({ shape }: Type): boolean =>
  shape.kind === "map" && shape.element.shape.kind === "nested" && !shape.element.nullable;
