import type { Attributes } from "../schema/attribute.ts";
import type { Config, Desired } from "../schema/views.ts";
import type { Awaitable, CallContext, ValidateContext } from "./context.ts";

/** An operation without a state of its own, triggered by a life-cycle event or by `-invoke`. */
export interface ActionDefinition<A extends Attributes, Api> {
  readonly type: string;
  readonly doc: string;
  /** The group of its page in the documentation. */
  readonly subcategory?: string;
  readonly deprecated?: string;
  readonly attributes: A;
  validate?(context: ValidateContext<A>): Awaitable<void>;
  plan?(context: ActionPlanContext<A, Api>): Awaitable<void>;
  invoke(context: ActionContext<A, Api>): Awaitable<void>;
}

export interface ActionPlanContext<A extends Attributes, Api> extends CallContext<A> {
  /** Undefined when the provider's own configuration is not known yet. */
  readonly api: Api | undefined;
  readonly config: Config<A>;
}

export interface ActionContext<A extends Attributes, Api> extends CallContext<A> {
  readonly api: Api;
  readonly config: Desired<A>;
  /** Shows the user a line at once. */
  progress(message: string): void;
}
