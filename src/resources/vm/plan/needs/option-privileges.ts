import type { Privilege } from "../../../guest/privileges.ts";
import { type VmPrivilege, vmPrivileges } from "../../privileges.ts";

/** The privilege on the VM that each option requires (qemu-server: src/PVE/API2/Qemu.pm, `check_vm_modify_config_perm`). */
const optionPrivileges: readonly (readonly [RegExp, VmPrivilege])[] = [
  [/^(cores|cpu|cpulimit|cpuunits|numa\d*|smp|sockets|vcpus)$/, "cpu"],
  [/^(memory|balloon|shares|allow-ksm)$/, "memory"],
  [/^(acpi|hotplug|kvm|machine|scsihw|smbios1|tablet|vga|watchdog|audio0|rng0)$/, "hardware"],
  [/^(serial|usb|hostpci)\d+$/, "hardware"],
  [/^(cicustom|cipassword|citype|ciuser|ciupgrade|nameserver|searchdomain|sshkeys|ipconfig\d+)$/, "cloudInit"],
  [/^net\d+$/, "network"],
  [/^(boot|bootdisk|vmstatestorage|virtiofs\d+)$/, "disks"],
  [/^(agent|autostart|bios|description|keyboard|localtime|migrate_\w+|name|onboot|ostype)$/, "options"],
  [/^(protection|reboot|startdate|startup|tags|tdf|template)$/, "options"],
  [/^freeze$/, "power"],
];

/** Null: only root@pam may set it. */
export function privilegeOfOption(option: string): Privilege | null {
  const name = optionPrivileges.find(([pattern]) => pattern.test(option))?.[1];
  return name === undefined ? null : vmPrivileges[name];
}
