import type { Config, Desired, LeavingKey, Logger, PathLike, Planned, Report, Session, State } from "#kit";
import type { GuestAddress, GuestConfig } from "#pve";
import type { GuestAttributes } from "./attributes.ts";
import type { GuestKind } from "./kind.ts";
import type { GuestPrivateState } from "./private-state.ts";

/** What reading a guest takes. */
export interface GuestQuery {
  readonly kind: GuestKind;
  readonly api: Session;
  readonly signal?: AbortSignal;
}

/** A plan's own `api` may be undefined; this one is not. */
export const queryOf = ({ kind, signal }: Pick<GuestPlan, "kind" | "signal">, api: Session): GuestQuery => ({
  kind,
  api,
  signal,
});

/** What every step on a guest is given. */
export interface GuestContext extends GuestQuery {
  readonly log: Logger;
  readonly signal: AbortSignal;
}

export interface ReportingContext extends GuestContext {
  readonly report: Pick<Report, "warning">;
}

export type GuestDesired = Desired<GuestAttributes>;
export type GuestState = State<GuestAttributes>;

/** A guest that exists, with its configuration. */
export interface ReadableGuest extends GuestAddress {
  readonly config: GuestConfig;
}

/** What `create` passes on to `settle`. */
export interface NewGuest extends ReadableGuest {
  /** Created by this run. Otherwise it was found: left by an interrupted run, or adopted. */
  readonly isFresh: boolean;
  /** Another user's guest until now: only what is written is changed. */
  readonly isAdopted: boolean;
}

// The framework's contexts, as far as they are the same for every kind.

export interface GuestCreate extends GuestContext {
  readonly config: Config<GuestAttributes>;
  readonly desired: GuestDesired;
  readonly privateState: GuestPrivateState;
  readonly report: Report;
}

/** While the guest itself is made. */
export interface GuestMaking extends GuestCreate {
  created(id: { readonly vmid: number }): void;
}

export interface GuestChange extends GuestCreate {
  readonly id: { readonly vmid: number };
}

export interface GuestSettle extends GuestChange {
  readonly handover: NewGuest;
}

export interface GuestBefore extends GuestChange {
  readonly prior: GuestState | null;
  readonly handover: NewGuest | undefined;
}

export interface GuestUpdate extends GuestChange {
  readonly prior: GuestState;
  readonly changes: ReadonlySet<string>;
  readonly leaving: readonly LeavingKey[];
}

export interface GuestRead extends GuestContext {
  readonly id: { readonly vmid: number };
  readonly state: GuestState | null;
  readonly purpose: "create" | "update" | "refresh" | "import";
  readonly privateState: GuestPrivateState;
  readonly report: Report;
}

export interface GuestDelete extends GuestContext {
  readonly id: { readonly vmid: number };
  readonly state: GuestState;
  readonly privateState: GuestPrivateState;
  readonly report: Report;
}

export interface GuestPlan {
  readonly kind: GuestKind;
  readonly api: Session | undefined;
  readonly signal: AbortSignal;
  readonly config: Config<GuestAttributes>;
  readonly prior: GuestState | null;
  readonly planned: Planned<GuestAttributes>;
  readonly changes: ReadonlySet<string>;
  readonly leaving: readonly LeavingKey[];
  readonly privateState: GuestPrivateState;
  readonly report: Report;
  set(path: string | readonly (string | number)[], value: unknown): void;
  setUnknown(path: PathLike): void;
  keep(path: PathLike): void;
  replace(path: PathLike, reason?: string): void;
}

export interface GuestPlanDelete {
  readonly kind: GuestKind;
  readonly api: Session | undefined;
  readonly id: { readonly vmid: number };
  readonly state: GuestState;
  readonly privateState: GuestPrivateState;
  readonly isReplaced: boolean;
  readonly report: Report;
}
