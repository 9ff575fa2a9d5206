import { guestPrivileges, type Privilege } from "../../../guest/privileges.ts";
import { isMountSlot } from "../../slots.ts";

/** The privilege on the container that each option requires (pve-container: src/PVE/LXC.pm, `check_ct_modify_config_perm`). */
export function privilegeOfOption(option: string): Privilege | null {
  if (/^(cores|cpulimit|cpuunits)$/.test(option)) return guestPrivileges.cpu;
  if (/^(memory|swap)$/.test(option)) return guestPrivileges.memory;
  if (isMountSlot(option)) return guestPrivileges.disks;
  if (/^(net\d+|nameserver|searchdomain|hostname)$/.test(option)) return guestPrivileges.network;
  if (option === "features") return guestPrivileges.allocate;
  if (/^(dev\d+|hookscript)$/.test(option)) return null;
  return guestPrivileges.options;
}
