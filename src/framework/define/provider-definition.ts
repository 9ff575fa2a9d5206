import type { Diagnostic } from "../diagnostics.ts";
import type { PathLike } from "../report.ts";
import type { Attributes } from "../schema/attribute.ts";
import type { Config } from "../schema/views.ts";
import type { ActionDefinition } from "./action-definition.ts";
import type { Awaitable, CallContext, ValidateContext } from "./context.ts";
import type { DataSourceDefinition } from "./data-source-definition.ts";
import type { EphemeralDefinition } from "./ephemeral-definition.ts";
import type { FunctionDefinition } from "./function-definition.ts";
import type { ListResourceDefinition } from "./list-resource-definition.ts";
import type { ResourceDefinition } from "./resource-definition.ts";

/** Definitions by name, each loaded on first use: a process loads what it uses, however many there are. */
export type Registered<D> = { readonly [name: string]: () => Awaitable<D> };

/** A whole provider as one value. */
export interface ProviderDefinition<A extends Attributes, Api> {
  /** The prefix of its types and its name in `required_providers`. */
  readonly name: string;
  readonly doc: string;
  readonly attributes: A;
  readonly resources?: Registered<ResourceDefinition<Attributes, string, object, Api, unknown>>;
  readonly dataSources?: Registered<DataSourceDefinition<Attributes, Api>>;
  readonly functions?: Registered<FunctionDefinition>;
  readonly ephemerals?: Registered<EphemeralDefinition<Attributes, object, Api>>;
  /** By the type of the resource they find. */
  readonly listResources?: Registered<ListResourceDefinition<Attributes, Attributes, string, Api>>;
  readonly actions?: Registered<ActionDefinition<Attributes, Api>>;

  validate?(context: ValidateContext<A>): Awaitable<void>;

  /**
   * Turns the configuration into what every other hook receives as `api`. During planning, parts of it may not be known
   * yet (`undefined`): return undefined if nothing can be done without them, and plan hooks then run without an api.
   */
  configure(context: ConfigureContext<A>): Awaitable<Api | undefined>;

  readonly origin?: OriginDefinition<Api>;

  /** Terraform has disconnected, or the process ends in about a second: completes or releases what is still held. */
  end?(api: Api): Awaitable<void>;

  /**
   * The one place where an error thrown by a hook becomes a message. Undefined means that the error was not expected,
   * so it is reported as a bug in the provider.
   */
  diagnose?(error: unknown, about: Failed): Explanation | Explanation[] | undefined;
}

/**
 * How the managed system is distinguished from another one of its kind, so that objects of one are never taken for missing in
 * the other. Stored with each object.
 */
export interface OriginDefinition<Api> {
  /** Null: it cannot be known. */
  of(api: Api): Awaitable<string | null>;
  /**
   * `remember`: it is stored, and compared with each refresh. `compare`: it is compared if it is stored and the object is
   * missing. `ignore`: neither.
   */
  modeOf(api: Api): "remember" | "compare" | "ignore";
  /** What is thrown for an object of another origin. */
  refusal(api: Api): Error;
}

export interface ConfigureContext<A extends Attributes> extends CallContext<A> {
  readonly config: Config<A>;
  readonly terraformVersion: string;
  /**
   * Keeps a value out of every message and log line from now on, such as a secret that was obtained or found elsewhere.
   */
  conceal(secret: string): void;
}

/** The operation that failed, and on what. */
export interface Failed {
  readonly operation: Operation;
  readonly type: string;
  /** The identity of the object, as far as it is known. */
  readonly id?: { readonly [name: string]: unknown };
}

export type Operation =
  | "validate"
  | "configure"
  | "plan"
  | "create"
  | "read"
  | "update"
  | "delete"
  | "import"
  | "upgrade"
  | "move"
  | "list"
  | "open"
  | "renew"
  | "close"
  | "invoke";

export interface Explanation extends Pick<Diagnostic, "summary" | "detail"> {
  readonly severity?: Diagnostic["severity"];
  readonly path?: PathLike;
}
