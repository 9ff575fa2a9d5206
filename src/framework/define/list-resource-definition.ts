import type { Attributes } from "../schema/attribute.ts";
import type { Desired, Observed } from "../schema/views.ts";
import type { Awaitable, CallContext, ValidateContext } from "./context.ts";
import type { IdentityOf, ResourceDefinition } from "./resource-definition.ts";

/** Finds existing objects of a managed resource for `terraform query`. `C` is what the query may be asked with. */
export interface ListResourceDefinition<C extends Attributes, A extends Attributes, I extends string, Api> {
  readonly resource: ResourceDefinition<A, I, object, Api>;
  readonly doc: string;
  readonly attributes: C;
  validate?(context: ValidateContext<C>): Awaitable<void>;
  /** Yields what it finds as it finds it; it is returned early when enough was found. */
  list(context: ListContext<C, Api>): AsyncIterable<Listed<A, I>>;
}

export interface ListContext<C extends Attributes, Api> extends CallContext<C> {
  readonly api: Api;
  readonly config: Desired<C>;
  /** No more than this many will be used. */
  readonly limit: number;
  /** Whether the whole object is wanted. If it is not yielded, the resource's `read` is asked for it. */
  readonly wantsObject: boolean;
}

export interface Listed<A extends Attributes, I extends string> {
  readonly id: IdentityOf<A, I>;
  readonly displayName: string;
  readonly object?: Observed<A>;
}
