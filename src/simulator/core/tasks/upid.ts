/** The parts of a UPID (pve-common `src/PVE/UPID.pm`). */
export interface Upid {
  readonly node: string;
  readonly pid: number;
  readonly pstart: number;
  readonly starttime: number;
  readonly type: string;
  readonly id: string;
  /** Including the token. */
  readonly user: string;
}

const hex = (value: number) => value.toString(16).toUpperCase().padStart(8, "0");

export function encodeUpid(upid: Upid): string {
  const { node, pid, pstart, starttime, type, id, user } = upid;
  return `UPID:${node}:${hex(pid)}:${hex(pstart)}:${hex(starttime)}:${type}:${id}:${user}:`;
}

const shape =
  /^UPID:([a-zA-Z0-9](?:[a-zA-Z0-9-]*[a-zA-Z0-9])?):([0-9A-Fa-f]{8}):([0-9A-Fa-f]{8,9}):([0-9A-Fa-f]{8}):([^:\s/]+):([^:\s/]*):([^:\s/]+):$/;

/** Undefined if the text is not a UPID. */
export function decodeUpid(text: string): Upid | undefined {
  const match = shape.exec(text);
  if (match === null) {
    return undefined;
  }
  const [node, pid, pstart, starttime, type, id, user] = match.slice(1) as [
    string,
    string,
    string,
    string,
    string,
    string,
    string,
  ];
  return {
    node,
    pid: Number.parseInt(pid, 16),
    pstart: Number.parseInt(pstart, 16),
    starttime: Number.parseInt(starttime, 16),
    type,
    id,
    user,
  };
}
