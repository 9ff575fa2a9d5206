import type { Logger, Report } from "#framework";
import type { Session } from "../session.ts";
import type { StagedChange } from "./group-commit.ts";

/** What a commit leaves to say: it succeeded, and some node did not take it. */
export interface CommitResult {
  readonly problems: readonly { readonly summary: string; readonly detail: string }[];
}

/**
 * Whether a change belongs to this run, by its key (`proxmox_sdn_vnet web`). A removal also does if the run removes what the
 * object is in, which PVE would refuse otherwise: an interrupted run has staged it, and the state has forgotten it.
 */
export type IsOwn = (key: string, within?: readonly string[]) => boolean;

/** A configuration whose changes wait for a commit: the SDN, or the network of one node. */
export interface StagedScope {
  readonly name: string;
  /** Fails if a commit would take along what other clients have staged. */
  check(api: Session, change: StagedChange, isOwn: IsOwn): Promise<void>;
  /** The same before anything is written; from then on other clients wait, where PVE has a lock for that. */
  prepare(api: Session, change: StagedChange, isOwn: IsOwn): Promise<void>;
  /** Lets other clients go on: no change was written. */
  release?(api: Session): Promise<void>;
  /** Writes a change that no commit of this run takes, when no other client is in the way. */
  inTurn?<T>(api: Session, write: () => Promise<T>, signal: AbortSignal): Promise<T>;
  commit(context: CommitContext): Promise<CommitResult>;
  /** Says in the plan what other clients have staged. */
  warn(api: Session, report: Pick<Report, "warning">, isOwn: IsOwn): Promise<void>;
  /** Keys of objects that PVE changes along with one: members of a bridge or a bond. */
  companions?(settings: Readonly<Record<string, unknown>>): readonly string[];
  /**
   * Keys of objects that cannot be removed before this one. Where this is missing, one commit has to take removals with all
   * that follows them: a node could not be reached in between.
   */
  within?(type: string, settings: Readonly<Record<string, unknown>>): readonly string[];
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
  /** The process is about to end: what is not necessary is left out. */
  readonly isHurried?: boolean;
}
