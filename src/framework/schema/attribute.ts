import type { TimeoutDefaults } from "./timeouts.ts";
import type { Type } from "./type.ts";

/**
 * Who gives the value. One word, so that "required and computed" cannot be written.
 * - `required`: the person must. - `optional`: the person may; absent means absent.
 * - `optional_computed`: the person may, else the system does. - `computed`: only the system does.
 */
export type Mode = "required" | "optional" | "optional_computed" | "computed";

/** One attribute of a resource, data source, provider … or of a nested object. */
export interface Attribute<T extends Type = Type> {
  readonly type: T;
  readonly mode: Mode;
  /** Markdown; becomes the documentation. */
  readonly doc: string;
  /** Terraform hides the value, and no message of ours quotes it. */
  readonly sensitive?: boolean;
  /**
   * Given in the configuration only, never stored. With `trigger`, the name of a sibling attribute, `update` sees the
   * value only when that one changed and `undefined` otherwise: a secret is sent again when its version is raised.
   */
  readonly writeOnly?: true | { readonly trigger: string };
  /** Lives in Terraform only (a setting of the provider, the source of a clone): `read` does not return it. */
  readonly local?: true;
  /** Why it should not be used any more and what to use instead. */
  readonly deprecated?: string;
  /**
   * A changed value means a new object. A string says why and is shown as a warning; a function decides by the two
   * values (`undefined`: known after apply). In a resource without `update` every attribute that is not local is so.
   */
  readonly replace?: true | string | ((change: { prior: unknown; planned: unknown }) => boolean);
  /**
   * For computed values: an update leaves the value alone, so the plan shows the prior one rather than "known after
   * apply". `unless` names the attributes whose change makes it unknown after all.
   */
  readonly keep?: true | { readonly unless: readonly string[] };
  /**
   * For values that others change at any moment (whether a guest runs, the addresses it has). Terraform refuses a result
   * that differs from a known plan, so the planned value is stored then, and the next refresh reads the real one.
   */
  readonly volatile?: true;
  /**
   * For `optional_computed` and write-only values: what a line that leaves the configuration brings back. Not given: what was there before
   * it. `to_value`: a value, but never nothing. `never`: the value stays, and a warning says so. `ignore`: there is
   * nothing to bring back, or the resource does it by itself.
   */
  readonly undo?: "to_value" | "never" | "ignore";
  /** For maps: each key stands for itself. One that is not configured is left alone and may be missing in the state. */
  readonly byKey?: true;
  /** How a person unsets the value in words, where that does not follow from its type (`""`, `[]`): `0`. Null: not at all. */
  readonly unset?: string | null;
  /** Set by `timeouts()`. */
  readonly timeouts?: TimeoutDefaults;
}

export type Attributes = { readonly [name: string]: Attribute };

/** Whether the provider may fill the value in. */
export const isComputed = ({ mode }: Attribute): boolean => mode === "computed" || mode === "optional_computed";
