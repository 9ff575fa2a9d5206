import type { TimeoutDefaults } from "./timeouts.ts";
import type { Type } from "./type.ts";

/**
 * Who provides the value. One word, so that "required and computed" cannot be written.
 * - `required`: the user must. - `optional`: the user may; absent means absent.
 * - `optional_computed`: the user may, else the system does. - `computed`: only the system does.
 */
export type Mode = "required" | "optional" | "optional_computed" | "computed";

/** Some changes of the attribute require a new object. */
export interface ConditionalReplacement {
  /** The condition, as the documentation has it: `if …`. */
  readonly when: string;
  /**
   * Decides by the two values (`undefined`: known after apply). Absent: the plan hook decides, and calls `replace`, which
   * it can only for attributes that declare a replacement.
   */
  readonly decide?: (change: { readonly prior: unknown; readonly planned: unknown }) => boolean;
}

/** One attribute of a resource, data source, provider … or of a nested object. */
export interface Attribute<T extends Type = Type> {
  readonly type: T;
  readonly mode: Mode;
  /** Markdown; becomes the documentation. */
  readonly doc: string;
  /** Terraform hides the value, and no message of the provider quotes it. */
  readonly sensitive?: boolean;
  /**
   * In the configuration only, never stored. With `trigger`, the name of a sibling attribute, `update` receives the
   * value only when that sibling changed, and `undefined` otherwise: raising its version sends a secret again. `create`
   * receives `undefined` for one that is not given, since the object may be made with a value of its own, as a clone is.
   */
  readonly writeOnly?: true | { readonly trigger: string };
  /** Exists in Terraform only (a setting of the provider, the source of a clone): `read` does not return it. */
  readonly local?: true;
  /** Why it should no longer be used, and what to use instead. */
  readonly deprecated?: string;
  /**
   * A changed value requires a new object: always (a string is the reason, shown as a warning), or under a condition. In a
   * resource without `update` this holds for every attribute that is not local.
   */
  readonly replace?: true | string | ConditionalReplacement;
  /** The object is made with it, and keeps what it was made with: a changed value is neither sent nor a replacement. */
  readonly onlyAtCreation?: true;
  /**
   * For computed values: an update does not change the value, so the plan shows the prior one instead of "known after
   * apply". A change of an attribute in `unless` makes it unknown all the same. The argument of such a sibling also
   * decides the value, so that removing it restores both, unless only the `own` argument does.
   */
  readonly keep?: true | { readonly unless: readonly string[]; readonly own?: true };
  /**
   * For values that change outside Terraform at any moment (whether a guest runs, its addresses). Terraform refuses a
   * result that differs from a known plan, so the planned value is stored, and the next refresh reads the real one.
   */
  readonly volatile?: true;
  /**
   * For `optional_computed` and write-only values: what removing the argument restores. Default: the value from before
   * it was set. `to_value`: that value, unless it was absent. `with_object`: the same, and removing the argument for the
   * object that contains it restores an absent value too. `never`: the value stays, with a warning. `ignore`: there
   * is nothing to restore, or the resource restores it.
   */
  readonly undo?: "to_value" | "with_object" | "never" | "ignore";
  /** For maps: the keys are independent. A key that is not configured is left alone and may be missing in the state. */
  readonly byKey?: true;
  /**
   * How a user writes "no value" where that does not follow from the type (`""`, `[]`): `0`. Null: it cannot be
   * written.
   */
  readonly unset?: string | null;
  /**
   * For computed values: what a user wants who writes the attribute, as a sentence: "Set `power`.". Validation refuses the
   * value, and ends its message with this.
   */
  readonly instead?: string;
  /** Set by `timeouts()`. */
  readonly timeouts?: TimeoutDefaults;
}

export type Attributes = { readonly [name: string]: Attribute };

/** Whether the provider may fill in the value. */
export const isComputed = ({ mode }: Attribute): boolean => mode === "computed" || mode === "optional_computed";
