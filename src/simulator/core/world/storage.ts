import type { FirewallFile } from "./firewall.ts";
import type { Section } from "./guest.ts";

/** An entry of storage.cfg. `options` are the lines below its header, as text. */
export interface Storage {
  readonly storage: string;
  readonly type: string;
  options: Record<string, string>;
  /** What has a file of its own below `/etc/pve/priv/storage`: never answered. */
  secrets?: Record<string, string>;
  /** Figures for one node, in bytes; a shared storage has them once. */
  capacity: { total: number; used: number };
  /** Bytes per second of a full copy, which determines the duration of tasks. */
  speed: number;
  /** Seconds for which an operation on a volume holds the storage's lock; undefined: the default of its type. */
  lockSeconds?: number;
  /** It is enabled but unusable: the server does not answer, or the disk is missing. */
  inactive?: boolean;
}

/** A volume on a storage. */
export interface Volume {
  readonly volid: string;
  /** The node on which it is; undefined on a shared storage. */
  readonly node: string | undefined;
  readonly content: "images" | "rootdir" | "iso" | "vztmpl" | "backup" | "snippets" | "import";
  format: string;
  /** Bytes, from the guest's point of view. */
  size: number;
  used?: number;
  /** Owning guest. */
  vmid?: number;
  parent?: string;
  ctime: number;
  notes?: string;
  protected?: boolean;
  /** For an import file: the size of the disk in it. */
  virtualSize?: number;
  /** For a container template: its contents. */
  system?: ContainerSystem;
  /** For an OCI image: how its process is started. */
  oci?: OciConfig;
  /** For a backup: its guest. */
  backup?: BackupArchive;
  /** For an OVA archive: its description and its files. */
  ova?: OvaArchive;
  /** Of a VM on an ESXi host: what the importer says about it. */
  machine?: Readonly<Record<string, unknown>>;
  /** Known hex digests of a file, by algorithm. */
  checksums?: Record<string, string>;
  /** Snapshots, oldest first, each with the size of the volume at that time. */
  snapshots?: { readonly name: string; readonly size: number }[];
}

/** The system in a container template. */
export interface ContainerSystem {
  /** One of the options of `ostype`. */
  readonly type: string;
  /** Whether it has time zones. */
  readonly zoneInfo: boolean;
}

/** The part of an OCI image's configuration that a container uses. */
export interface OciConfig {
  readonly entrypoint?: readonly string[];
  readonly cmd?: readonly string[];
  readonly env?: readonly string[];
}

/** A guest as in a backup. */
export interface BackupArchive {
  readonly type: "qemu" | "lxc";
  /** The configuration in the archive. */
  readonly config: Section;
  /** Disks of a VM in the archive, with their sizes in bytes and their storages. */
  readonly disks: readonly { slot: string; size: number; storage: string; format: string }[];
  readonly firewall?: FirewallFile;
}

export interface OvaArchive {
  readonly ovf?: string;
  readonly files: readonly { name: string; size: number; virtualSize?: number }[];
}
