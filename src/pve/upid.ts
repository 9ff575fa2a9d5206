import { PveError } from "./errors.ts";

/** A task's id, `UPID:<node>:<pid>:<pstart>:<starttime>:<type>:<id>:<user>:` (pve-common: src/PVE/UPID.pm). */
export interface Upid {
  /** The whole text: the only thing that identifies a task. */
  readonly text: string;
  /** The node that runs it, and answers requests about it. */
  readonly node: string;
  readonly pid: number;
  readonly pstart: number;
  /** Unix seconds, by that node's clock. */
  readonly startTime: number;
  readonly type: string;
  /** Usually a VMID; for `qmclone` the *source*'s. */
  readonly id: string;
  /** `user@realm` or `user@realm!token`. */
  readonly user: string;
}

const shape =
  /^UPID:([A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?):([0-9A-Fa-f]{8}):([0-9A-Fa-f]{8,9}):([0-9A-Fa-f]{8}):([^:\s/]+):([^:\s/]*):([^:\s/]+):$/;

/** Parses a task id. Throws a `PveError` of kind `malformed` if it is not one. */
export function parseUpid(text: string): Upid {
  const [, node, pid, pstart, startTime, type, id, user] = shape.exec(text) ?? [];
  if (node === undefined || type === undefined || user === undefined) {
    throw new PveError("malformed", `"${text}" is not a task id`);
  }
  const hex = (digits = "") => Number.parseInt(digits, 16);
  return { text, node, pid: hex(pid), pstart: hex(pstart), startTime: hex(startTime), type, id: id ?? "", user };
}
