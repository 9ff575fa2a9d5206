import type { Logger, Report } from "#framework";
import type { Session } from "../session.ts";
import type { StagedChange } from "./group-commit.ts";

/** What a commit leaves to say: it succeeded, and some node did not take it. */
export interface CommitResult {
  readonly problems: readonly { readonly summary: string; readonly detail: string }[];
}

/** Whether a change belongs to this run, by its key (`proxmox_sdn_vnet web`). */
export type IsOwn = (key: string) => boolean;

/** A configuration whose changes wait for a commit: the SDN, or the network of one node. */
export interface StagedScope {
  readonly name: string;
  /** Fails before anything is written, if a commit would take along what other clients have staged. */
  prepare(api: Session, change: StagedChange, isOwn: IsOwn): Promise<void>;
  commit(context: CommitContext): Promise<CommitResult>;
  /** Says in the plan what other clients have staged. */
  warn(api: Session, report: Pick<Report, "warning">, isOwn: IsOwn): Promise<void>;
  /** Keys of objects that PVE changes along with one: members of a bridge or a bond. */
  companions?(settings: Readonly<Record<string, unknown>>): readonly string[];
  /** Whether the object was created and never committed, so that no node has it. */
  isUncommitted(api: Session, key: string): Promise<boolean>;
  /** Whether the removal of the object waits for a commit, so that nodes still have it. */
  isRemovalStaged(api: Session, key: string): Promise<boolean>;
}

/** The name of the scope of a node's interfaces, which a commit of the SDN reloads, too. */
export const networkScope = (node: string): string => `network ${node}`;

/** Why what this run has staged is not dropped after a failure; null if it can be. */
export function whyKept(forgotten: readonly StagedChange[]): string | null {
  if (forgotten.length === 0) return null;
  const names = forgotten.map(({ key }) => key.replace(/^\S+ /, "")).join(", ");
  return `the state has forgotten what they remove (${names}), and the next apply commits them`;
}

export interface CommitContext {
  readonly api: Session;
  readonly changes: readonly StagedChange[];
  /** Removals that no state has any more: what is rolled back with them would be in no state. */
  readonly forgotten?: readonly StagedChange[];
  readonly isOwn: IsOwn;
  readonly log: Logger;
  readonly signal: AbortSignal;
}
