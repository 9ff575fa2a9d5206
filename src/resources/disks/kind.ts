import type { Attributes, Predecessor, Report, Session } from "#kit";
import type { DiskUse, Parameters as Request } from "#pve";

export type Values = Readonly<Record<string, unknown>>;

/** One way to use disks of a node: a ZFS pool, a volume group, a thin pool, a directory. */
export interface DiskKind<A extends Attributes> {
  readonly type: string;
  readonly use: DiskUse;
  /** The start of the types of its tasks, before `create` and `remove`. */
  readonly task: string;
  /** `ZFS pool` */
  readonly noun: string;
  readonly doc: string;
  readonly nameDoc: string;
  /** What it is made with, and what can be read of it. What was made cannot be changed. */
  readonly attributes: A;
  /** The disks in the configuration; undefined as long as one is not known. */
  disksOf(values: Values): readonly string[] | undefined;
  /** Where the disks are written, for messages about them. */
  readonly disksAttribute: keyof A & string;
  validate?(values: Values, report: Pick<Report, "error">): void;
  /** The parameters of the call that makes it. */
  request(values: Values): Request;
  /** What is there under that name: the computed attributes; null if nothing is. */
  find(api: Session, node: string, name: string, signal?: AbortSignal): Promise<Values | null>;
  /** What the removal needs besides. */
  removal?(state: Values): Request;
  /** Types of other providers whose state can be moved here. */
  readonly movedFrom?: readonly Predecessor[];
  /** Whether a definition of a storage is about it. */
  isUsedBy(storage: Values, name: string): boolean;
}
