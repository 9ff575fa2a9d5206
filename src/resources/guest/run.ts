import { type Activity, attachmentsOf, type Session } from "#kit";
import type { GuestType } from "#pve";

/** What an operation has just found out about a guest, so that the read after it need not ask again. */
export interface ReadHint {
  readonly node: string;
  readonly status: string;
  readonly pool: string | null;
  /** Options whose change waits for a restart. */
  readonly pending: readonly string[];
  /** Those of them that the restart removes. */
  readonly removed?: readonly string[];
  /** Addresses that the guest reported, by slot. */
  readonly addresses?: Readonly<Record<string, readonly string[]>>;
}

/** What this run will do with a guest in the state. */
export interface Intent {
  readonly isKept: boolean;
  /** The name it will have; undefined: not known yet. */
  readonly name: string | null | undefined;
}

/** A name or a VMID that another resource wants. */
export type Claim = { readonly name: string } | { readonly vmid: number };

/** Shared data about guests for the life of the provider process: one plan, or one apply. */
export interface Run {
  /** Names and VMIDs of guests that are planned and not created yet. */
  readonly planned: Set<string>;
  /** Names of guests that are being created, with their type. */
  readonly names: Set<string>;
  /** VMIDs of guests that are being created. */
  readonly making: Set<number>;
  /** Guests that this run has created or resumed, with their type: no interrupted run has left them. */
  readonly made: Map<number, GuestType>;
  /** VMIDs in Terraform's state, as far as they have been read. */
  readonly inState: Set<number>;
  /** Those of them whose create has not been completed: nothing refers to them yet. */
  readonly unfinished: Set<number>;
  /** VMIDs in the state that now belong to another guest. */
  readonly reused: Set<number>;
  /** What becomes of guests in the state, as far as it is planned or done. */
  readonly intents: Map<number, Intent>;
  /** What other resources want of guests in the state that had no intent yet. */
  readonly claims: Map<number, Claim[]>;
  /** Hooks that read, plan and change guests: while there are any, intents may become known. */
  readonly activity: Activity;
  readonly readHints: Map<number, ReadHint>;
}

/** In the run store: a configured provider has one. */
export const runOf = (api: Session): Run =>
  api.store.keep("guests", () => ({
    planned: new Set(),
    names: new Set(),
    making: new Set(),
    made: new Map(),
    inState: new Set(),
    unfinished: new Set(),
    reused: new Set(),
    intents: new Map(),
    claims: new Map(),
    activity: attachmentsOf(api).work,
    readHints: new Map(),
  }));

/** The name and the VMID that a new guest takes, with the key of each in `planned`. */
export function claimsOf(
  type: GuestType,
  wanted: { name?: string | null | undefined; vmid?: number | null | undefined },
) {
  return [
    { path: "name", value: wanted.name, key: `${type} ${wanted.name}` },
    { path: "vmid", value: wanted.vmid, key: `vmid ${wanted.vmid}` },
  ].filter(({ value }) => value !== null && value !== undefined);
}
