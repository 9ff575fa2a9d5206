import { Activity, type Session } from "#kit";
import type { GuestConfig } from "#pve";

/** What an operation just learnt about a VM, so that the read after it need not ask again. */
export interface ReadHint {
  readonly node: string;
  readonly status: string;
  readonly pool: string | null;
  /** Options that wait for a restart. */
  readonly pending: readonly string[];
  /** Those of them that the restart removes. */
  readonly removed?: readonly string[];
  /** Addresses the guest agent told, by slot. */
  readonly addresses?: Readonly<Record<string, readonly string[]>>;
}

/** What becomes of a VM in this run. */
export interface Fate {
  readonly stays: boolean;
  /** The name it will have; undefined: not known yet. */
  readonly name: string | null | undefined;
}

/** What another resource wants of a VM that has it. */
export type Wanted = { readonly name: string } | { readonly vmid: number };

/** What is remembered about VMs for as long as the provider runs: one plan, or one apply. */
export interface Run {
  /** Names of VMs that are being made here. */
  readonly names: Set<string>;
  /** VMIDs of VMs that are being made here. */
  readonly making: Set<number>;
  /** VMs that were created or resumed by this run: no interrupted run has left them. */
  readonly made: Set<number>;
  /** VMs that are in Terraform's state, as far as it has asked for them. */
  readonly inState: Set<number>;
  /** VMs whose place in the state another VM has now, by VMID. */
  readonly usurped: Set<number>;
  /** What becomes of VMs in the state, as far as it is planned or done. */
  readonly fates: Map<number, Fate>;
  /** VMs in the state whose fate was not known when another one was planned in their place. */
  readonly makingWay: Map<number, Wanted[]>;
  /** Reading, planning and changing VMs: as long as there is some, fates may become known. */
  readonly activity: Activity;
  /** Configurations of sources, which many plans ask for at a time. */
  readonly sources: Map<number, Promise<GuestConfig>>;
  readonly learnt: Map<number, ReadHint>;
}

const runs = new WeakMap<Session, Run>();

export function runOf(api: Session): Run {
  const run = runs.get(api) ?? {
    names: new Set(),
    making: new Set(),
    made: new Set(),
    inState: new Set(),
    usurped: new Set(),
    fates: new Map(),
    makingWay: new Map(),
    activity: new Activity(),
    sources: new Map(),
    learnt: new Map(),
  };
  runs.set(api, run);
  return run;
}

/** A hook that counts as work on VMs while it runs. */
export function counted<C extends { readonly api: Session | undefined }, R>(
  hook: (context: C) => Promise<R>,
): (context: C) => Promise<R> {
  return (context) => (context.api ? runOf(context.api).activity.during(() => hook(context)) : hook(context));
}
