import type { Attributes } from "../schema/attribute.ts";
import type { Desired, Found } from "../schema/views.ts";
import type { Awaitable, CallContext, ValidateContext } from "./context.ts";

/** A data source as one value: its search arguments are required or optional, its results are computed. */
export interface DataSourceDefinition<A extends Attributes, Api> {
  readonly type: string;
  readonly doc: string;
  /** The group of its page in the documentation. */
  readonly subcategory?: string;
  readonly deprecated?: string;
  readonly attributes: A;
  validate?(context: ValidateContext<A>): Awaitable<void>;
  /** Null: no object matches, which is an error. */
  read(context: DataSourceReadContext<A, Api>): Awaitable<Found<A> | null>;
}

export interface DataSourceReadContext<A extends Attributes, Api> extends CallContext<A> {
  readonly api: Api;
  readonly config: Desired<A>;
}
