import { bare } from "../world/bare.ts";
import { type Privilege, privileges } from "./privileges.ts";

const named = (pattern: RegExp) => privileges.filter((privilege) => pattern.test(privilege));
const without = (all: readonly Privilege[], left: readonly Privilege[]) => all.filter((one) => !left.includes(one));

/** The roles that cannot be changed (pve-access-control `src/PVE/AccessControl.pm`, `create_roles`). */
export const builtInRoles: Readonly<Record<string, readonly Privilege[]>> = bare({
  Administrator: privileges,
  NoAccess: [],
  PVEAdmin: without(privileges, [
    "Mapping.Modify",
    "Permissions.Modify",
    "Realm.Allocate",
    "Sys.AccessNetwork",
    "Sys.Incoming",
    "Sys.Modify",
    "Sys.PowerMgmt",
  ]),
  PVEAuditor: named(/^(?:Datastore|Mapping|Pool|SDN|Sys|VM|VM\.GuestAgent)\.Audit$/),
  PVEDatastoreAdmin: named(/^Datastore\./),
  PVEDatastoreUser: ["Datastore.AllocateSpace", "Datastore.Audit"],
  PVEMappingAdmin: named(/^Mapping\./),
  PVEMappingUser: ["Mapping.Audit", "Mapping.Use"],
  PVEPoolAdmin: named(/^Pool\./),
  PVEPoolUser: ["Pool.Audit"],
  PVESDNAdmin: named(/^SDN\./),
  PVESDNUser: ["SDN.Audit", "SDN.Use"],
  PVESysAdmin: ["Sys.Audit", "Sys.Console", "Sys.Syslog"],
  PVETemplateUser: ["VM.Audit", "VM.Clone"],
  PVEUserAdmin: ["Group.Allocate", "Realm.AllocateUser", "User.Modify"],
  PVEVMAdmin: named(/^VM\./),
  PVEVMUser: [
    "VM.Audit",
    "VM.Backup",
    "VM.Config.CDROM",
    "VM.Config.Cloudinit",
    "VM.Console",
    "VM.GuestAgent.Audit",
    "VM.GuestAgent.FileRead",
    "VM.GuestAgent.FileSystemMgmt",
    "VM.GuestAgent.FileWrite",
    "VM.PowerMgmt",
  ],
});
