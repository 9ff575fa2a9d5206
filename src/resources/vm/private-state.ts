import type { Fingerprint } from "./lifecycle/identity.ts";

/** What is remembered of a VM besides its attributes. */
export interface VmPrivateState {
  /** Null until the VM was seen for the first time. */
  fingerprint: Fingerprint | null;
  /** Set while the VM is being made: only a VM with this mark is ours then. */
  mark: string | null;
  /** `node` as it was last configured: somebody else may have moved the VM since. */
  node: string | null;
  /** Of a state that an older version wrote: slots that were configured, which leave the VM when they leave the map. */
  slots?: string[] | null;
  /** Of such a state, too: whether `ha` was configured. */
  isHaConfigured?: boolean;
  /** Image of write-only texts that was put into cloud-init's drive. Null: there were none. */
  dataImage: string | null;
  /** While planning: whether that image stays, whatever the texts say when they are read again. */
  isDataKept: boolean;
  /** Whether something waited for a restart when it was last applied: a refresh asks then, whatever the plan said. */
  isPending: boolean;
  /** Volumes of drives that left the VM but were kept, by slot: one that comes back gets its disk back. */
  detached?: Record<string, string>;
  /** Disks that were grown outside of Terraform, with the size they had before. */
  grown: { [slot: string]: string };
  /** While planning: the VM that makes way for the one being planned. */
  replacing: number | null;
}

export const initialPrivateState: VmPrivateState = {
  fingerprint: null,
  mark: null,
  node: null,
  dataImage: null,
  isDataKept: false,
  isPending: false,
  grown: {},
  replacing: null,
};
