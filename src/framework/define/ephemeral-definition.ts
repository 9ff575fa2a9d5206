import type { Attributes } from "../schema/attribute.ts";
import type { Desired, Found } from "../schema/views.ts";
import type { Awaitable, CallContext, ValidateContext } from "./context.ts";

/** An ephemeral resource as one value: opened in every run that needs it, renewed while it lasts, never stored. */
export interface EphemeralDefinition<A extends Attributes, P extends object, Api> {
  readonly type: string;
  readonly doc: string;
  /** The group of its page in the documentation. */
  readonly subcategory?: string;
  readonly deprecated?: string;
  readonly attributes: A;
  /** What `renew` and `close` need to know; the given value is the initial one. */
  readonly privateState?: P;
  validate?(context: ValidateContext<A>): Awaitable<void>;
  open(context: EphemeralOpenContext<A, P, Api>): Awaitable<{ readonly result: Found<A>; readonly renewAt?: Date }>;
  /** Required if `open` ever returns `renewAt`. */
  renew?(context: EphemeralContext<A, P, Api>): Awaitable<{ readonly renewAt?: Date }>;
  close?(context: EphemeralContext<A, P, Api>): Awaitable<void>;
}

export interface EphemeralContext<A extends Attributes, P extends object, Api> extends CallContext<A> {
  readonly api: Api;
  /** May be written to; passed to the next call. */
  readonly privateState: P;
}

export interface EphemeralOpenContext<A extends Attributes, P extends object, Api> extends EphemeralContext<A, P, Api> {
  readonly config: Desired<A>;
}
