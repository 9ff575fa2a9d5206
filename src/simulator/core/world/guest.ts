import { die } from "../kernel/failure.ts";
import { bare } from "./bare.ts";

/** A section of a guest's configuration file: `key: value` lines. Values are texts exactly as in the file. */
export type Section = Record<string, string>;

/**
 * A guest: its configuration file (one per VMID in the whole cluster, as pmxcfs enforces) and its process. Plain data,
 * saved with the world.
 */
export interface Guest {
  readonly vmid: number;
  readonly type: "qemu" | "lxc";
  /** The node whose directory contains the file. */
  node: string;
  /** Main section. `description` is stored decoded; the writer turns it into `#` lines. */
  config: Section;
  /** `[PENDING]`: values to set, and keys to delete (2: forced, the volume is deleted as well). */
  pending: { set: Section; delete: Record<string, 1 | 2> };
  /** `[special:cloudinit]`: the values from which the drive was generated, where they differ from `config`. */
  cloudinit: Section;
  snapshots: Record<string, Section>;
  /** The running process; undefined while stopped. */
  run: GuestRun | undefined;
  /** Behaviour of the operating system in the guest. */
  behaviour: GuestBehaviour;
  /** What the agent finds in the guest. */
  inside?: GuestInside;
}

export interface GuestRun {
  /** Time stamp of the start. */
  since: number;
  pid: number;
  paused?: boolean;
  /** The values with which the process was started or that were hot-plugged, where they differ from the file. */
  [detail: string]: unknown;
}

/** The part of a guest's system that its agent can access. */
export interface GuestInside {
  /** Contents by path, in base64. */
  files?: Record<string, string>;
  /** Programs with a known result; every other program succeeds and prints nothing, but for `cat` with an input. */
  programs?: GuestProgram[];
  /** Passwords that were set, by user. */
  passwords?: Record<string, string>;
}

export interface GuestProgram {
  /** The whole command line, or the program alone. */
  readonly command: readonly string[];
  readonly exitcode?: number;
  readonly out?: string;
  readonly err?: string;
  /** Seconds that it runs. */
  readonly seconds?: number;
}

export interface GuestBehaviour {
  /** An agent is installed and answers some time after the start. */
  agent: boolean;
  /** Reacts to an ACPI shutdown. */
  acpi: boolean;
}

/** A guest that has just been created. Containers have no guest agent. */
export function newGuest(type: Guest["type"], vmid: number, node: string, config: Section): Guest {
  return {
    vmid,
    type,
    node,
    config,
    pending: { set: {}, delete: {} },
    cloudinit: {},
    snapshots: bare({}),
    run: undefined,
    behaviour: { agent: type === "qemu", acpi: true },
  };
}

export function getSnapshot({ snapshots }: Pick<Guest, "snapshots">, name: string): Section {
  return snapshots[name] ?? die(`snapshot '${name}' does not exist`);
}
