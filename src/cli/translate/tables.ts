import tables from "./gen/tables.json" with { type: "json" };

export type Peer = "bpg" | "telmate";
export type Kind = "resource" | "data";

/** Where a type of another provider is here. */
export interface Entry {
  readonly peer: Peer;
  readonly kind: Kind;
  /** Without the prefix: `vm`, `lxc`. */
  readonly name: string;
  /** The type here; null: there is none. */
  readonly target: string | null;
  /** Why there is none, and what to do. */
  readonly reason: string;
  /** The object here that holds attributes without a place of their own: `nfs`, or a list of a data source. */
  readonly objects: readonly string[];
  readonly rows: Readonly<Record<string, string>>;
  /** Whether that object of a data source is one object, and no list. */
  readonly isObject: boolean;
  /** What a data source here takes. */
  readonly arguments: readonly string[];
}

interface Written {
  readonly arguments?: readonly string[];
  readonly isObject?: boolean;
  readonly none?: string;
  readonly target?: string;
  readonly objects?: readonly string[];
  readonly rows?: Readonly<Record<string, string>>;
}

const written: Readonly<Record<Peer, Readonly<Record<string, Written>>>> = tables;
const moves = new Set<string>(tables.moves);

export const sources: Readonly<Record<Peer, string>> = { bpg: "bpg/proxmox", telmate: "telmate/proxmox" };

const long = "proxmox_virtual_environment_";

/** The entry of a type; null: that provider has no such type. */
export function entryOf(peer: Peer, kind: Kind, type: string): Entry | null {
  const name = type.startsWith(long) ? type.slice(long.length) : shortName(peer, type);
  const row = written[peer][`${kind} ${name}`];
  if (row === undefined || (peer === "telmate" && type.startsWith(long))) return null;
  const { none, target = null, objects = [], rows = {}, arguments: given = [], isObject = false } = row;
  return { peer, kind, name, target, reason: none ?? "", objects, rows, arguments: given, isObject };
}

/** bpg's `proxmox_vm` is not the short form of `proxmox_virtual_environment_vm`. */
const shortName = (peer: Peer, type: string): string =>
  peer === "bpg" && type === "proxmox_vm" ? "vm2" : type.replace(/^proxmox_/, "");

/** Types that only one of the two has, which say whose configuration it is. */
export function peerOfType(kind: Kind, type: string): Peer | null {
  if (type.startsWith(long)) return "bpg";
  const owners = (["bpg", "telmate"] as const).filter((peer) => entryOf(peer, kind, type) !== null);
  return owners.length === 1 ? (owners[0] ?? null) : null;
}

/** Whether a `moved` block brings the state of a type here. */
export const isMovable = (peer: Peer, from: string, to: string): boolean => moves.has(`${sources[peer]} ${from} ${to}`);
