import type { Fingerprint } from "./identity.ts";

/** What the state stores about a guest besides its attributes. */
export interface GuestPrivateState {
  /** Null until the guest was read for the first time. */
  fingerprint: Fingerprint | null;
  /** The digest of its configuration when it was last read. */
  digest?: string | undefined;
  /** Set while the guest is being created: until then only a guest with this mark is ours. */
  mark: string | null;
  /** `node` as it was last configured: another user may have moved the guest since. */
  node: string | null;
  /** In states of older versions: slots that were configured, which leave the guest when they leave the map. */
  slots?: string[] | null;
  /** In states of older versions: whether `ha` was configured. */
  isHaConfigured?: boolean;
  /** Whether a provider that died in an update has lost all of this: only the state still says what was configured. */
  isForgotten?: boolean;
  /** An attempt to destroy it has failed: some of its volumes may be gone. */
  isDestroyBegun?: boolean;
  /** It ran when a change began that has not ended: it may be stopped since. */
  isToStart?: boolean;
  /** Volumes that were detached and kept, by slot: a slot that comes back gets its volume back. */
  detached?: Record<string, string>;
  /** Volumes that were grown outside of Terraform, with the size they had before. */
  grown: { [slot: string]: string };
  /** From the plan to the apply: whether a snapshot is taken before the change. */
  isSnapshotDue?: boolean;
  /** From the plan to the apply: the guest that is taken over, and the digest of the configuration that was planned with. */
  adopting?: { readonly vmid: number; readonly digest: string };
  /** While planning: the guest that is replaced by the one being planned. */
  replacing: number | null;
  /** From the plan to the apply: whether a guest with the same VMID is put under HA in its place. */
  hasHaSuccessor?: true;
}

export const initialPrivateState: GuestPrivateState = {
  fingerprint: null,
  mark: null,
  node: null,
  grown: {},
  replacing: null,
};
