import type { Session } from "#kit";
import type { VmConfig } from "#pve";

/** What an operation just learnt about a VM, so that the read after it need not ask again. */
export interface Learnt {
  readonly node: string;
  readonly status: string;
  readonly pool: string | null;
  /** Options that wait for a restart. */
  readonly pending: readonly string[];
  /** Addresses the guest agent told, by slot. */
  readonly addresses?: Readonly<Record<string, readonly string[]>>;
}

/** What is remembered about VMs for as long as the provider runs: one plan, or one apply. */
export interface Run {
  /** Names of VMs that are being made here. */
  readonly names: Set<string>;
  /** VMIDs of VMs that are being made here. */
  readonly making: Set<number>;
  /** VMs made here: they are nobody else's leftovers. */
  readonly made: Map<number, { readonly node: string; readonly config: VmConfig }>;
  /** Configurations of sources, which many plans ask for at a time. */
  readonly sources: Map<number, Promise<VmConfig>>;
  readonly learnt: Map<number, Learnt>;
}

const runs = new WeakMap<Session, Run>();

export function runOf(api: Session): Run {
  const run = runs.get(api) ?? {
    names: new Set(),
    making: new Set(),
    made: new Map(),
    sources: new Map(),
    learnt: new Map(),
  };
  runs.set(api, run);
  return run;
}
