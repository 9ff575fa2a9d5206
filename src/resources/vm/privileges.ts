import { guestPrivileges, type Privilege, privilege } from "../guest/privileges.ts";

/** The privileges that each operation on a VM requires. Server side: qemu-server `src/PVE/API2/Qemu.pm`. */
export const vmPrivileges = {
  ...guestPrivileges,
  askAgent: privilege("guest", "VM.GuestAgent.Audit", "VM.GuestAgent.Unrestricted"),
  hardware: privilege("guest", "VM.Config.HWType"),
  discs: privilege("guest", "VM.Config.CDROM"),
  /** The settings; the drive they are written to requires `writeCloudInit`. */
  cloudInit: privilege("guest", "VM.Config.Cloudinit", "VM.Config.Network"),
  writeCloudInit: privilege("guest", "VM.Config.Cloudinit"),

  useImage: privilege("storage", "Datastore.AllocateSpace", "Datastore.Audit", "Datastore.Allocate"),
  attachVolume: privilege("storage", "Datastore.Audit", "Datastore.Allocate"),
  upload: privilege("storage", "Datastore.AllocateTemplate"),
  mapDevice: privilege("mapping", "Mapping.Use"),
  hostDrive: privilege("cluster", "Sys.Console"),
} as const satisfies Record<string, Privilege>;

export type VmPrivilege = keyof typeof vmPrivileges;
