/** What a privilege is held on: the guest itself (or its pool), the source of a clone, or what else a guest uses. */
export type Subject = "guest" | "source" | "storage" | "network" | "mapping" | "pool" | "cluster";

export interface Privilege {
  /** Any one of these. */
  readonly privileges: readonly string[];
  readonly on: Subject;
}

export const privilege = (on: Subject, ...privileges: readonly string[]): Privilege => ({ privileges, on });

/**
 * The privileges that each operation on a guest requires. Plans and `doctor role` use the same table.
 * Server side: qemu-server `src/PVE/API2/Qemu.pm`, pve-container `src/PVE/API2/LXC.pm`, pve-manager `PVE/API2/Pool.pm`,
 * pve-ha-manager `src/PVE/API2/HA/Resources.pm`.
 */
export const guestPrivileges = {
  see: privilege("guest", "VM.Audit"),
  /** Also to destroy it, to make a template of it, and to put it into another pool. */
  allocate: privilege("guest", "VM.Allocate"),
  seeSource: privilege("source", "VM.Audit"),
  cloneSource: privilege("source", "VM.Clone"),
  /** Also to read the configuration in a backup of the guest, and to restore it as another one. */
  backUp: privilege("source", "VM.Backup"),
  readBackups: privilege("storage", "Datastore.AllocateSpace", "Datastore.Allocate"),
  power: privilege("guest", "VM.PowerMgmt"),
  migrate: privilege("guest", "VM.Migrate"),
  snapshot: privilege("guest", "VM.Snapshot"),

  cpu: privilege("guest", "VM.Config.CPU"),
  memory: privilege("guest", "VM.Config.Memory"),
  disks: privilege("guest", "VM.Config.Disk"),
  network: privilege("guest", "VM.Config.Network"),
  options: privilege("guest", "VM.Config.Options"),

  allocateSpace: privilege("storage", "Datastore.AllocateSpace"),
  seeStorage: privilege("storage", "Datastore.Audit"),
  connect: privilege("network", "SDN.Use"),
  /** Without it PVE does not show which pool a guest is in. */
  seePool: privilege("pool", "Pool.Audit"),
  changePool: privilege("pool", "Pool.Allocate"),
  /** The order in which a node starts its guests is an option of the node. */
  startup: privilege("cluster", "Sys.Modify"),
  highAvailability: privilege("cluster", "Sys.Console"),
  seeHighAvailability: privilege("cluster", "Sys.Audit"),
} as const satisfies Record<string, Privilege>;
