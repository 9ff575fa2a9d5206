import { type ConfigDraft, type Need, pathOfOption } from "#kit";
import { type Held, onGuest, onPath } from "../../../guest/plan/needs/need.ts";
import { attributes } from "../../attributes.ts";
import type { VmPrivilege } from "../../privileges.ts";
import { vmPrivileges } from "../../privileges.ts";

/** Which right on the VM each option takes (qemu-server: src/PVE/API2/Qemu.pm, `check_vm_modify_config_perm`). */
const optionRights: readonly (readonly [RegExp, VmPrivilege])[] = [
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

/** Null: nobody but root@pam may set it. */
export const rightOfOption = (option: string): VmPrivilege | null =>
  optionRights.find(([pattern]) => pattern.test(option))?.[1] ?? null;

/** The rights on the VM that the options of a change take. */
export function optionNeeds(vm: Held, after: ConfigDraft): Need[] {
  const { set, delete: removed } = after.patch;
  return [...Object.keys(set), ...removed].flatMap((option) => {
    const right = rightOfOption(option);
    const attribute = pathOfOption(attributes, option);
    return [
      ...(right === null ? [] : [onGuest(vm, vmPrivileges[right], attribute)]),
      ...(option === "startup" ? [onPath(vmPrivileges.startup, "/", attribute)] : []),
    ];
  });
}
