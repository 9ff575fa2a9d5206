import { die } from "../kernel/failure.ts";

/** A section of a guest's configuration file: `key: value` lines. Values are texts exactly as the file holds them. */
export type Section = Record<string, string>;

/**
 * A guest: its configuration file (one per VMID in the whole cluster, as pmxcfs enforces) and what its process does.
 * Plain data, saved with the world.
 */
export interface Guest {
  readonly vmid: number;
  readonly type: "qemu" | "lxc";
  /** The node whose directory holds the file. */
  node: string;
  /** Main section. `description` is kept decoded; the writer turns it into `#` lines. */
  config: Section;
  /** `[PENDING]`: values to set, and keys to delete (2: forced, the volume goes too). */
  pending: { set: Section; delete: Record<string, 1 | 2> };
  /** `[special:cloudinit]`: what the generated drive was made from, where it differs from `config`. */
  cloudinit: Section;
  snapshots: Record<string, Section>;
  /** The running process; undefined while stopped. */
  run: GuestRun | undefined;
  /** How the operating system inside behaves. */
  behaviour: GuestBehaviour;
  /** What the agent finds inside. */
  inside?: GuestInside;
}

export interface GuestRun {
  /** Time stamp of the start. */
  since: number;
  pid: number;
  paused?: boolean;
  /** What the process was started with or hot-plugged to, where it differs from the file. */
  [detail: string]: unknown;
}

/** The part of a guest's system that its agent can touch. */
export interface GuestInside {
  /** Contents by path, in base64. */
  files?: Record<string, string>;
  /** Programs whose outcome is known; every other one ends well and prints nothing. */
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
  /** How long it runs. */
  readonly seconds?: number;
}

export interface GuestBehaviour {
  /** An agent is installed and answers some time after the start. */
  agent: boolean;
  /** Obeys an ACPI shutdown. */
  acpi: boolean;
}

/** A guest that has just got its configuration file. Containers have no guest agent. */
export function newGuest(type: Guest["type"], vmid: number, node: string, config: Section): Guest {
  return {
    vmid,
    type,
    node,
    config,
    pending: { set: {}, delete: {} },
    cloudinit: {},
    snapshots: {},
    run: undefined,
    behaviour: { agent: type === "qemu", acpi: true },
  };
}

export function getSnapshot({ snapshots }: Pick<Guest, "snapshots">, name: string): Section {
  return snapshots[name] ?? die(`snapshot '${name}' does not exist`);
}
