import type { Caller } from "../../core/access/caller.ts";
import type { Privilege } from "../../core/access/privileges.ts";
import { die } from "../../core/kernel/failure.ts";
import { isDriveSlot } from "../config/options.ts";

// The privilege that an option requires: `$check_vm_modify_config_perm` in qemu-server `src/PVE/API2/Qemu.pm`.

/** Drives and host devices are checked by their values, elsewhere; tags by their own rules. */
const judgedByValue = /^(?:unused|serial|usb|hostpci|virtiofs)\d+$|^cdrom$|^tags$/;

interface Rule {
  readonly options: RegExp;
  readonly privileges: readonly Privilege[];
  readonly any?: "any";
}

const words = (list: string) => new RegExp(`^(?:${list.trim().split(/\s+/).join("|")})$`);

const rules: readonly Rule[] = [
  {
    options: words("cores cpu runningcpu cpulimit cpuunits numa numa\\d+ smp sockets vcpus"),
    privileges: ["VM.Config.CPU"],
  },
  { options: words("memory balloon shares allow-ksm"), privileges: ["VM.Config.Memory"] },
  {
    options: words("acpi hotplug kvm machine runningmachine scsihw smbios1 tablet vga watchdog audio0 rng0"),
    privileges: ["VM.Config.HWType"],
  },
  {
    options:
      words(`agent autostart bios description keyboard localtime migrate_downtime migrate_speed name onboot ostype
      protection reboot startdate startup tdf template`),
    privileges: ["VM.Config.Options"],
  },
  { options: words("freeze"), privileges: ["VM.PowerMgmt"] },
  { options: words("boot bootdisk vmstatestorage"), privileges: ["VM.Config.Disk"] },
  { options: words("net\\d+ running-nets-host-mtu"), privileges: ["VM.Config.Network"] },
  {
    options: words("cicustom cipassword citype ciuser ciupgrade nameserver searchdomain sshkeys ipconfig\\d+"),
    privileges: ["VM.Config.Cloudinit", "VM.Config.Network"],
    any: "any",
  },
  { options: words("vmstate"), privileges: ["VM.Config.Disk", "VM.PowerMgmt"] },
];

/** Options without a rule require root@pam. `pool` is the pool of a new VM. */
export function checkOptionPrivileges(
  caller: Caller,
  vmid: number,
  pool: string | undefined,
  options: readonly string[],
): void {
  if (caller.isRoot) {
    return;
  }
  for (const option of [...options].sort()) {
    if (isDriveSlot(option) || judgedByValue.test(option)) {
      continue;
    }
    const rule = rules.find((candidate) => candidate.options.test(option));
    if (rule === undefined) {
      die(`only root can set '${option}' config`);
    }
    caller.checkVm(vmid, pool, rule.privileges, rule.any);
    if (option === "startup") {
      caller.check("/", ["Sys.Modify"]); // it changes the behaviour of the host
    }
  }
}
