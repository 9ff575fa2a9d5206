import type { Session } from "#kit";
import type { VmConfig } from "#pve";

/** What an operation just learnt about a VM, so that the read after it need not ask again. */
export interface Learnt {
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

/** What is remembered about VMs for as long as the provider runs: one plan, or one apply. */
export interface Run {
  /** Names of VMs that are being made here. */
  readonly names: Set<string>;
  /** VMIDs of VMs that are being made here. */
  readonly making: Set<number>;
  /** VMs made here: they are nobody else's leftovers. `isFresh`: nothing was done to it but to make it. */
  readonly made: Map<number, { readonly node: string; readonly config: VmConfig; readonly isFresh: boolean }>;
  /** VMs that are in Terraform's state, as far as it has asked for them. */
  readonly inState: Set<number>;
  /** Of those, the ones that are to stay. */
  readonly staying: Set<number>;
  /** Of those, the ones in whose place another one is planned, by the same name or VMID. */
  readonly makingWay: Map<number, string>;
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
    inState: new Set(),
    staying: new Set(),
    makingWay: new Map(),
    sources: new Map(),
    learnt: new Map(),
  };
  runs.set(api, run);
  return run;
}
