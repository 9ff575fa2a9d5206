import type { FirewallFile } from "./firewall.ts";
import type { Section } from "./guest.ts";

/** An entry of storage.cfg. `options` are the file's lines below the headline, as text. */
export interface Storage {
  readonly storage: string;
  readonly type: string;
  options: Record<string, string>;
  /** Figures of one node's share, in bytes; a shared storage has them once. */
  capacity: { total: number; used: number };
  /** Bytes per second a full copy reaches; decides how long tasks take. */
  speed: number;
  /** Seconds for which an operation on a volume holds the storage's lock; what its type takes if undefined. */
  lockSeconds?: number;
  /** Nobody can use it, though it is enabled: the server does not answer, the disk is gone. */
  inactive?: boolean;
}

/** A volume on a storage. */
export interface Volume {
  readonly volid: string;
  /** The node that holds it; undefined on a shared storage. */
  readonly node: string | undefined;
  readonly content: "images" | "rootdir" | "iso" | "vztmpl" | "backup" | "snippets" | "import";
  format: string;
  /** Bytes, as the guest sees it. */
  size: number;
  used?: number;
  /** Owning guest. */
  vmid?: number;
  parent?: string;
  ctime: number;
  notes?: string;
  protected?: boolean;
  /** Of an import file: the size of the disk inside. */
  virtualSize?: number;
  /** Of a container template: what was found inside. */
  system?: ContainerSystem;
  /** Of an OCI image: how its process is started. */
  oci?: OciConfig;
  /** Of a backup: what it was made from. */
  backup?: BackupArchive;
  /** Of an OVA archive: its description and its files. */
  ova?: OvaArchive;
  /** Hex digests that are known of a file, by algorithm. */
  checksums?: Record<string, string>;
  /** Snapshots, oldest first, each with the size the volume had then. */
  snapshots?: { readonly name: string; readonly size: number }[];
}

/** The system in a container template. */
export interface ContainerSystem {
  /** One of the options of `ostype`. */
  readonly type: string;
  /** Whether it knows time zones. */
  readonly zoneInfo: boolean;
}

/** The part of an OCI image's configuration that a container takes over. */
export interface OciConfig {
  readonly entrypoint?: readonly string[];
  readonly cmd?: readonly string[];
  readonly env?: readonly string[];
}

/** A guest as a backup holds it. */
export interface BackupArchive {
  readonly type: "qemu" | "lxc";
  /** The configuration in the archive. */
  readonly config: Section;
  /** Disks of a VM in the archive, with their sizes in bytes and where they were. */
  readonly disks: readonly { slot: string; size: number; storage: string; format: string }[];
  readonly firewall?: FirewallFile;
}

export interface OvaArchive {
  readonly ovf?: string;
  readonly files: readonly { name: string; size: number; virtualSize?: number }[];
}
