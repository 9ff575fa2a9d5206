import type { Attributes } from "../schema/attribute.ts";
import type { Desired, Observed } from "../schema/views.ts";
import type { Awaitable, CallContext, ValidateContext } from "./context.ts";
import type { IdentityOf, ResourceDefinition } from "./resource-definition.ts";

/** Finds existing objects of a managed resource for `terraform query`. `C` is the configuration of the query. */
export interface ListResourceDefinition<C extends Attributes, A extends Attributes, I extends string, Api> {
  readonly resource: ResourceDefinition<A, I, object, Api, unknown>;
  readonly doc: string;
  readonly attributes: C;
  validate?(context: ValidateContext<C>): Awaitable<void>;
  /** Yields each object as it is found. The iterator is closed early when enough objects were found. */
  list(context: ListContext<C, Api>): AsyncIterable<Listed<A, I>>;
}

export interface ListContext<C extends Attributes, Api> extends CallContext<C> {
  readonly api: Api;
  readonly config: Desired<C>;
  /** The caller uses no more than this many. */
  readonly limit: number;
  /** Whether the caller needs the whole object. If it is not yielded, the resource's `read` fetches it. */
  readonly wantsObject: boolean;
}

export interface Listed<A extends Attributes, I extends string> {
  readonly id: IdentityOf<A, I>;
  readonly displayName: string;
  readonly object?: Observed<A>;
}
