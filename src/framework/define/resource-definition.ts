import type { PathLike } from "../report.ts";
import type { Attributes } from "../schema/attribute.ts";
import type { Computable, Config, Desired, Observed, PathOf, Planned, State } from "../schema/views.ts";
import type { DeferredReason } from "../server.ts";
import type { Json } from "../values/json.ts";
import type { Awaitable, CallContext, ValidateContext } from "./context.ts";
import type { Created } from "./created.ts";

/**
 * A managed resource as one value. `A` is its attribute map, `I` the names of the attributes that identify the object,
 * `P` its private state, `Api` the result of the provider's `configure`, `H` what `create` passes on to `settle`; all but
 * `Api` are inferred.
 *
 * Life cycle: `plan` → `create` (identity stored at once) → `settle` → `read`, the only writer of state → `update` →
 * `delete`.
 */
export interface ResourceDefinition<A extends Attributes, I extends string, P extends object, Api, H = undefined> {
  readonly type: string;
  readonly doc: string;
  /** The group of its page in the documentation. */
  readonly subcategory?: string;
  readonly deprecated?: string;
  readonly attributes: A;
  /**
   * Attributes that distinguish this object from any other, never change during its life, and make up its import ID.
   */
  readonly identity?: readonly (I & keyof A)[] | IdentityDefinition<I & keyof A & string>;
  /** What to store about the object besides its attributes, hidden from users; the given value is the initial one. */
  readonly privateState?: P;

  /** Raise it when stored states need `upgrades`. */
  readonly version?: number;
  /** `upgrades[n]` turns a stored state of version n into one of version n + 1. Runs without a configured provider. */
  readonly upgrades?: { readonly [version: number]: (state: { readonly [name: string]: Json }) => Awaitable<object> };
  /** Other resource types whose state a `moved` block may bring here. Runs without a configured provider. */
  readonly moves?: readonly MoveDefinition<A, P>[];

  validate?(context: ValidateContext<A>): Awaitable<void>;
  /** Checks the change before the user sees it: refuses it, fills in computed values, requires replacement. */
  plan?(context: PlanContext<A, P, Api>): Awaitable<void>;
  /** The same before an object is destroyed. */
  planDelete?(context: PlanDeleteContext<A, I, P, Api>): Awaitable<void>;

  /**
   * Creates the object and nothing more. An error thrown after `created` was called leaves a tainted object, not an
   * orphan.
   */
  create(context: CreateContext<A, I, P, Api>): Awaitable<CreateResult<A, I, H>>;
  /**
   * The object without the arguments that take effect now, so that they can be undone when they are removed. Called
   * after `create`, and before an `update` with new arguments. Leave out what is not known. Default: nothing after a
   * create, the prior state before an update.
   */
  before?(context: BeforeContext<A, I, P, Api, H>): Awaitable<Partial<Observed<A>>>;
  /** What remains to be done once the object exists; a failure taints it. */
  settle?(context: SettleContext<A, I, P, Api, H>): Awaitable<void>;
  /**
   * Terraform has started to process an object of this type, so data that every `read` needs can be fetched in advance.
   * Must not throw.
   */
  prefetch?(api: Api): void;
  /** Terraform has an object of this type in its state. It says so before anything else about the object. Must not throw. */
  inState?(api: Api, state: State<A>): void;
  /** The object as it is now, or null when it no longer exists. */
  read(context: ReadContext<A, I, P, Api>): Awaitable<Observed<A> | null>;
  /** Absent: every change replaces the object. */
  update?(context: UpdateContext<A, I, P, Api>): Awaitable<void>;
  delete(context: DeleteContext<A, I, P, Api>): Awaitable<void>;

  /** Finds the object that an import ID refers to. Default: the identity's values joined by "/". */
  import?(context: ImportContext<A, P, Api>): Awaitable<IdentityOf<A, I>>;
  /** Attributes to leave out of generated configuration, besides the computed ones (two that exclude each other …). */
  omitFromConfig?(context: { readonly state: State<A> }): readonly PathLike<PathOf<A>>[];
}

export interface IdentityDefinition<I extends string> {
  readonly attributes: readonly I[];
  readonly version?: number;
  readonly upgrades?: {
    readonly [version: number]: (identity: { readonly [name: string]: Json }) => Awaitable<object>;
  };
}

export type IdentityOf<A extends Attributes, I extends string> = {
  readonly [K in I & keyof Observed<A>]: NonNullable<Observed<A>[K]>;
};

/**
 * What `create` returns: the identity, together with the value that `settle` needs where `settle` declares one. `unknown`
 * stands for any resource.
 */
export type CreateResult<A extends Attributes, I extends string, H> = unknown extends H
  ? IdentityOf<A, I> | Created<IdentityOf<A, I>, unknown>
  : [H] extends [undefined]
    ? IdentityOf<A, I>
    : Created<IdentityOf<A, I>, H>;

export interface MoveDefinition<A extends Attributes, P extends object> {
  /** `"namespace/name"`, on any registry; `"terraform.io/builtin/terraform"` in full for the built-in one. */
  readonly provider: string;
  readonly type: string;
  /** The state here, as far as it follows from the old one; Terraform refreshes it before it plans. */
  move(context: MoveContext<A, P>): Awaitable<Partial<State<A>>>;
}

export interface MoveContext<A extends Attributes, P extends object> extends CallContext<A> {
  readonly state: { readonly [name: string]: Json };
  readonly version: number;
  readonly privateState: P;
}

interface ResourceContext<A extends Attributes, P extends object, Api> extends CallContext<A> {
  readonly api: Api;
  /** May be written to; saved when the hook returns. */
  readonly privateState: P;
}

interface ObjectContext<A extends Attributes, I extends string, P extends object, Api>
  extends ResourceContext<A, P, Api> {
  readonly id: IdentityOf<A, I>;
}

export interface PlanContext<A extends Attributes, P extends object, Api> extends CallContext<A> {
  /** Undefined when the provider's own configuration is not known yet. */
  readonly api: Api | undefined;
  readonly config: Config<A>;
  /** Null: the object will be created. */
  readonly prior: State<A> | null;
  /** The plan so far; read it again after changing it. */
  readonly planned: Planned<A>;
  /**
   * Attributes whose planned value is not the prior one; all attributes with a value when the object will be created.
   */
  readonly changes: ReadonlySet<keyof A & string>;
  /** Keys of maps that were configured and no longer are. */
  readonly leaving: readonly LeavingKey[];
  readonly privateState: P;
  /** Fills in a computed value. */
  set<K extends Computable<A> & keyof Observed<A>>(path: K, value: Observed<A>[K]): void;
  set(path: `${string}.${string}` | readonly (string | number)[], value: unknown): void;
  /** Marks a computed value as known after apply. */
  setUnknown(path: PathLike<PathOf<A>>): void;
  /** Keeps the prior value of a computed attribute, or of one that means the same as its configured value. */
  keep(path: PathLike<PathOf<A>>): void;
  /** Requires a new object because of this attribute, which must declare `replace`; `reason` is shown as a warning. */
  replace(path: PathLike<PathOf<A>>, reason?: string): void;
  /** Defers the decision to a later run, if Terraform allows that; returns whether it does. */
  defer(reason: DeferredReason): boolean;
}

export interface PlanDeleteContext<A extends Attributes, I extends string, P extends object, Api>
  extends CallContext<A> {
  readonly api: Api | undefined;
  readonly id: IdentityOf<A, I>;
  readonly state: State<A>;
  readonly privateState: P;
  /** Another object takes its place: what refers to it is planned afterwards. */
  readonly isReplaced: boolean;
}

interface WriteContext<A extends Attributes> {
  /**
   * Takes values that only the response to a write contains, such as a generated secret. They get into the state whatever
   * fails afterwards, and `read` finds them in its `state`.
   */
  obtained(values: Partial<Observed<A>>): void;
}

export interface CreateContext<A extends Attributes, I extends string, P extends object, Api>
  extends ResourceContext<A, P, Api>,
    WriteContext<A> {
  readonly desired: Desired<A>;
  readonly config: Config<A>;
  readonly deadline: Date | null;
  /** Call it as soon as the object exists, if `create` has more to do after that. */
  created(id: IdentityOf<A, I>): void;
}

export interface ChangeContext<A extends Attributes, I extends string, P extends object, Api>
  extends ObjectContext<A, I, P, Api>,
    WriteContext<A> {
  readonly desired: Desired<A>;
  readonly config: Config<A>;
  readonly deadline: Date | null;
}

export interface SettleContext<A extends Attributes, I extends string, P extends object, Api, H = undefined>
  extends ChangeContext<A, I, P, Api> {
  /** What `create` passed on. */
  readonly handover: H;
}

export interface ReadContext<A extends Attributes, I extends string, P extends object, Api>
  extends ObjectContext<A, I, P, Api> {
  /** What Terraform expects of the object: its state, or the plan just applied; null during an import. */
  readonly state: State<A> | null;
  readonly purpose: "create" | "update" | "refresh" | "import";
}

export interface BeforeContext<A extends Attributes, I extends string, P extends object, Api, H = undefined>
  extends ChangeContext<A, I, P, Api> {
  /** Null: the object was just created. */
  readonly prior: State<A> | null;
  /** What `create` passed on, after a create. */
  readonly handover: H | undefined;
}

/** A key that is removed from a map whose keys are independent (`byKey`). */
export interface LeavingKey {
  readonly path: readonly [attribute: string, ...more: string[]];
  /**
   * Its value afterwards: null if the key did not exist before it was configured, else its old value as far as that is
   * known.
   */
  readonly before: unknown;
  readonly isRemembered: boolean;
}

export interface UpdateContext<A extends Attributes, I extends string, P extends object, Api>
  extends ChangeContext<A, I, P, Api> {
  readonly prior: State<A>;
  readonly leaving: readonly LeavingKey[];
  /** Attributes whose planned value is not the prior one. */
  readonly changes: ReadonlySet<keyof A & string>;
}

export interface DeleteContext<A extends Attributes, I extends string, P extends object, Api>
  extends ObjectContext<A, I, P, Api> {
  readonly state: State<A>;
  /** The state with every argument undone, for an object that outlives the resource. */
  readonly undone: State<A>;
  readonly deadline: Date | null;
}

export interface ImportContext<A extends Attributes, P extends object, Api> extends ResourceContext<A, P, Api> {
  /** The ID as the user wrote it. */
  readonly id: string;
}
