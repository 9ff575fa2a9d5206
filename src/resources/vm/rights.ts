/** What a right is held on: the VM itself (or its pool), the one it is cloned from, and what else a VM uses. */
export type Subject = "vm" | "source" | "storage" | "network" | "mapping" | "pool" | "cluster";

export interface Right {
  /** Any one of these. */
  readonly privileges: readonly string[];
  readonly on: Subject;
}

const right = (on: Subject, ...privileges: readonly string[]): Right => ({ privileges, on });

/**
 * What each thing that is done to a VM takes of the caller's rights. A plan derives from it what is needed, and
 * `doctor role` which roles to make, so that neither knows of a privilege the other does not.
 * Server side: qemu-server `src/PVE/API2/Qemu.pm`, pve-manager `PVE/API2/Pool.pm`, pve-ha-manager
 * `src/PVE/API2/HA/Resources.pm`.
 */
export const vmRights = {
  see: right("vm", "VM.Audit"),
  /** Also to destroy it, to make a template of it, and to put it into another pool. */
  allocate: right("vm", "VM.Allocate"),
  seeSource: right("source", "VM.Audit"),
  cloneSource: right("source", "VM.Clone"),
  power: right("vm", "VM.PowerMgmt"),
  migrate: right("vm", "VM.Migrate"),
  askAgent: right("vm", "VM.GuestAgent.Audit", "VM.GuestAgent.Unrestricted"),
  snapshot: right("vm", "VM.Snapshot"),

  cpu: right("vm", "VM.Config.CPU"),
  memory: right("vm", "VM.Config.Memory"),
  hardware: right("vm", "VM.Config.HWType"),
  disks: right("vm", "VM.Config.Disk"),
  discs: right("vm", "VM.Config.CDROM"),
  network: right("vm", "VM.Config.Network"),
  options: right("vm", "VM.Config.Options"),
  /** The settings; the drive they are written to takes `writeCloudInit`. */
  cloudInit: right("vm", "VM.Config.Cloudinit", "VM.Config.Network"),
  writeCloudInit: right("vm", "VM.Config.Cloudinit"),

  allocateSpace: right("storage", "Datastore.AllocateSpace"),
  useImage: right("storage", "Datastore.AllocateSpace", "Datastore.Audit", "Datastore.Allocate"),
  attachVolume: right("storage", "Datastore.Audit", "Datastore.Allocate"),
  seeStorage: right("storage", "Datastore.Audit"),
  upload: right("storage", "Datastore.AllocateTemplate"),
  connect: right("network", "SDN.Use"),
  mapDevice: right("mapping", "Mapping.Use"),
  /** Without it PVE does not say which pool a VM is in. */
  seePool: right("pool", "Pool.Audit"),
  changePool: right("pool", "Pool.Allocate"),
  /** The order in which a node starts its VMs is the node's business. */
  startup: right("cluster", "Sys.Modify"),
  hostDrive: right("cluster", "Sys.Console"),
  highAvailability: right("cluster", "Sys.Console"),
  seeHighAvailability: right("cluster", "Sys.Audit"),
} as const satisfies Record<string, Right>;

export type VmRight = keyof typeof vmRights;
