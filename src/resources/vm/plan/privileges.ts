import { type ConfigPatch, checkPrivileges, type Need, pathOfOption, type Session } from "#kit";
import { attributes } from "../attributes.ts";
import type { VmPlan } from "../contexts.ts";

/** Which privilege on the VM each option takes (qemu-server: src/PVE/API2/Qemu.pm, `check_vm_modify_config_perm`). */
const optionPrivileges: readonly (readonly [RegExp, readonly string[]])[] = [
  [/^(cores|cpu|cpulimit|cpuunits|numa\d*|sockets|vcpus)$/, ["VM.Config.CPU"]],
  [/^(memory|balloon|shares|allow-ksm)$/, ["VM.Config.Memory"]],
  [/^(acpi|hotplug|kvm|machine|scsihw|smbios1|tablet|vga|watchdog|audio0|rng0)$/, ["VM.Config.HWType"]],
  [/^(serial|usb|hostpci)\d+$/, ["VM.Config.HWType"]],
  [/^(ci\w+|cicustom|nameserver|searchdomain|sshkeys|ipconfig\d+)$/, ["VM.Config.Cloudinit", "VM.Config.Network"]],
  [/^net\d+$/, ["VM.Config.Network"]],
  [/^((scsi|virtio|sata|ide|efidisk|tpmstate|virtiofs)\d+|boot|vmstatestorage)$/, ["VM.Config.Disk"]],
  [/^(agent|bios|description|keyboard|localtime|migrate_\w+|name|onboot|ostype)$/, ["VM.Config.Options"]],
  [/^(protection|reboot|startdate|startup|tags|tdf)$/, ["VM.Config.Options"]],
  [/^freeze$/, ["VM.PowerMgmt"]],
];

/** Not even a token of root's will do: PVE compares the caller with `root@pam`, letter by letter. */
const rootOption =
  /^(affinity|amd-sev|arch|args|hookscript|hugepages|intel-tdx|ivshmem|keephugepages|parallel\d+|spice_enhancements|vmgenid)$/;
const isHostDevice = (option: string, line: string): boolean =>
  (/^hostpci\d+$/.test(option) && !/mapping=/.test(line)) ||
  (/^usb\d+$/.test(option) && !/mapping=|spice/.test(line)) ||
  (/^serial\d+$/.test(option) && line !== "socket");

/** What the change takes of the caller's rights, said before anything is begun. */
export async function checkChangePrivileges(
  context: VmPlan,
  api: Session,
  change: { readonly patch: ConfigPatch; readonly needs?: readonly Need[] },
): Promise<void> {
  if (api.identity === "root@pam") return;
  refuseRootOptions(context, api, change.patch);
  const needs = [...optionNeeds(context, change.patch), ...(change.needs ?? [])];
  await checkPrivileges({ report: context.report, api, needs });
}

function refuseRootOptions({ report }: VmPlan, api: Session, { set }: ConfigPatch): void {
  for (const [option, line] of Object.entries(set)) {
    if (!rootOption.test(option) && !isHostDevice(option, String(line))) continue;
    const cure = /^(hostpci|usb)/.test(option)
      ? "Use a resource mapping, or log in as root@pam with a password."
      : "Log in as root@pam with a password.";
    report.error(
      pathOfOption(attributes, option),
      "Reserved to root@pam",
      `Only root@pam may set this, and ${api.identity} is not. ${cure}`,
    );
  }
}

function optionNeeds(context: VmPlan, { set, delete: removed }: ConfigPatch): Need[] {
  return [...Object.keys(set), ...removed].flatMap((option) => {
    const privileges = optionPrivileges.find(([pattern]) => pattern.test(option))?.[1];
    return privileges ? [vmNeed(context, privileges, pathOfOption(attributes, option))] : [];
  });
}

/**
 * Something needed on the VM itself, or on the pool it is in. Nobody should grant it on a VMID: such an entry goes away
 * with the VM (qemu-server: src/PVE/API2/Qemu.pm, `destroy_vm`).
 */
export function vmNeed({ config, prior }: VmPlan, privileges: readonly string[], attribute: Need["attribute"]): Need {
  const pool = config.pool ?? prior?.pool;
  const pools = pool ? [`/pool/${pool}`] : [];
  const paths = [`/vms/${config.vmid ?? prior?.vmid ?? "-"}`, ...pools];
  return { privileges, paths, attribute, grantOn: pools[0] ?? "/vms" };
}
