import type {
  Attributes,
  DeleteContext,
  IdentityOf,
  PlanContext,
  PlanDeleteContext,
  ReadContext,
  SettleContext,
  UpdateContext,
  ValidateContext,
} from "#framework";
import type { ConfigObject, Parameters } from "#pve";
import type { Predecessor } from "../moves/predecessor.ts";
import type { Need } from "../permissions.ts";
import type { PlannedKind } from "../planned-objects.ts";
import type { Session } from "../session.ts";
import type { StagedScope } from "../staged/scope.ts";
import type { Subcategory } from "../subcategory.ts";
import type { Members, WiredAttribute } from "../wire/wired.ts";

export type Wired = Attributes & { readonly [name: string]: WiredAttribute };

/**
 * How PVE's `PUT` takes a change.
 * - `patch`: what is set, and in `delete` what is unset, under the digest of the file.
 * - `whole`: all of the object; what is left out is unset.
 * - `blank`: what is set; an empty text unsets.
 */
export type PutDialect = "patch" | "whole" | "blank";

/** Several types of one collection: exactly one of these attributes is given, and its name is the type. */
export interface Variants<A> {
  readonly names: readonly (keyof A & string)[];
  /** PVE's option, or the place in the path, that holds the type. Default: `type`. */
  readonly option?: string;
  /** PVE's name of a type, where the attribute has another. */
  readonly wire?: Readonly<Record<string, string>>;
  /** The computed attribute that shows the type, if there is one. */
  readonly attribute?: keyof A & string;
}

/**
 * An object of the cluster's configuration that consists of attributes: nothing happens when it is created but that it
 * exists. Create, read, change under a digest, proof after a lost answer, the guard against what exists, import, list,
 * privileges, messages and documentation follow from this value.
 */
export interface CrudDefinition<A extends Wired, I extends string, P extends object> {
  readonly type: string;
  readonly subcategory: Subcategory;
  readonly doc: string;
  /** `HA rule`, as messages name it. */
  readonly noun: string;
  /** `/storage/{storage}`. Places take the values of the attributes with that `wire`. */
  readonly path: string;
  /** Where all are listed, if not one level above. */
  readonly collection?: string;
  /** Where a `POST` creates one, if not in the collection. */
  readonly creation?: string;
  /** The file of the cluster's configuration that holds it: writes to one file go one at a time. */
  readonly file: string;
  readonly identity: readonly (I & keyof A & string)[];
  /** PVE always has it: `defineSettings` takes it over instead of creating it. */
  readonly isPermanent?: true;
  /** What changes it, if not a `PUT`. */
  readonly change?: "POST";
  readonly attributes: A;
  readonly privateState?: P;
  readonly put?: PutDialect;
  /** Options that PVE wants with every change, even unchanged. */
  readonly alwaysSent?: readonly string[];
  /** PVE wants the type with every change. */
  readonly isTypeRepeated?: true;
  /** PVE's `delete` is an array here: it is sent once for each option. */
  readonly isDeleteRepeated?: true;
  /** Options that the `PUT` does not take: `changed` does what they ask for. */
  readonly onlyAtCreation?: readonly string[];
  /** What every creation sends besides: `{ type: "vm" }`. */
  readonly fixed?: Readonly<Record<string, string>>;
  /** What every write sends that PVE does not keep. */
  besides?(desired: Members): Readonly<Record<string, boolean>>;
  readonly variants?: Variants<A>;
  /**
   * The list of the collection shows whole objects, so that a plan of many costs one call. Without it each object costs one:
   * the list shows less.
   */
  readonly isListWhole?: true;
  /** What the call for the list sends besides: `{ full: true }`. */
  readonly listing?: Parameters;
  /** Nothing but the list of the collection shows an object. */
  readonly isListOnly?: true;
  /** The identity of an object in a list, where it is not in the options of those names. */
  listedId?(listed: ConfigObject): Members;
  /** The options of an object, where PVE answers in another form. */
  optionsIn?(answer: ConfigObject): ConfigObject;
  /** Whether an object of the list can be managed: what comes with PVE cannot. */
  isOwn?(listed: ConfigObject): boolean;
  /** The kind under which others refer to it in the plan that creates it. */
  readonly plannedAs?: PlannedKind;
  /** What to do about an object that exists, besides importing it. */
  readonly otherwise?: string;
  /** Types of other providers whose state a `moved` block brings here. */
  readonly movedFrom?: readonly Predecessor[];
  /** PVE removes it with the last object that it names: a change to others in the same run creates it again. */
  readonly goesWithOthers?: true;
  /** Whether objects of this type always exist: creating one takes it over. */
  isTakenOver?(kind: string | null): boolean;
  /** Changes wait for a commit of this scope; the attributes include `stagedAttributes`. */
  staged?(id: Members): StagedScope;
  /** Proxmox VE contacts other hosts when it is created, so networks that this run has staged are put into effect first. */
  readonly contactsHosts?: true;
  /** Values for the places of the path, where they are not the identity's. */
  places?(api: Session, key: Key): Promise<Key>;
  /** Every object, where there is no one list of them. */
  listAll?(api: Session, signal: AbortSignal): Promise<readonly ConfigObject[]>;

  /** What a role for all of them takes besides, by path, where the description of the endpoints does not tell it. */
  readonly grants?: Readonly<Record<string, readonly string[]>>;
  /** Privileges, where the description of the endpoints does not tell them. */
  needs?(context: NeedsContext): readonly Need[];
  validate?(context: ValidateContext<A>): void;
  /** Checks of its own, after the generic ones; also where nothing changes. */
  plan?(context: PlanContext<A, P, Session>, api: Session): Promise<void>;
  planDelete?(context: PlanDeleteContext<A, I, P, Session>, api: Session): Promise<void>;
  /** Finds the object where its path does not. */
  find?(api: Session, key: Key, context: FindContext<A, I, P> & Look): Promise<ConfigObject | null>;
  /** What is done once the object exists. */
  settle?(context: SettleContext<A, I, P, Session>): Promise<void>;
  /** What a change does besides the `PUT`, after it. */
  changed?(context: UpdateContext<A, I, P, Session>): Promise<void>;
  /** Removes it where a plain `DELETE` does not do. `remove` is that `DELETE`, and what it sends besides. */
  delete?(
    context: DeleteContext<A, I, P, Session> & Succession,
    remove: (besides?: Parameters) => Promise<void>,
  ): Promise<void>;
  /** Called after every write, so that what was seen before can be forgotten. */
  written?(api: Session): void;
  /** Reads the ID of an import where it is not the identity's values joined by `/`. */
  parseId?(id: string): IdentityOf<A, I> | null;
}

export interface Succession {
  /** The same object is created again, as the second half of a replacement. */
  readonly hasSuccessor: boolean;
}

export type Key = Readonly<Record<string, string>>;

export interface FindContext<A extends Attributes, I extends string, P extends object> {
  readonly signal?: AbortSignal | undefined;
  readonly purpose: "plan" | "proof" | ReadContext<A, I, P, Session>["purpose"];
}

export interface Look {
  /** What would be found without this hook. */
  look(): Promise<ConfigObject | null>;
}

export interface NeedsContext {
  readonly action: "create" | "update" | "delete";
  readonly id: Members;
  readonly planned: Members;
  /** Null: the object will be created. */
  readonly state: Members | null;
}
