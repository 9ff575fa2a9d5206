import { guestPrivileges, type Privilege, privilege } from "../guest/privileges.ts";

/** The privileges that each operation on a container requires. Server side: pve-container `src/PVE/LXC.pm`, `src/PVE/API2/LXC.pm`. */
export const containerPrivileges = {
  ...guestPrivileges,
  /** To read a template, or a volume of another container. */
  useImage: privilege("storage", "Datastore.AllocateSpace", "Datastore.Audit", "Datastore.Allocate"),
  /** Root in a privileged container is root of the host. */
  privileged: privilege("cluster", "Sys.Modify"),
} as const satisfies Record<string, Privilege>;
