import { type ConfigPatch, pathOfOption, type Session } from "#kit";
import { attributes } from "../attributes.ts";
import type { VmPlan } from "../contexts.ts";

type Permissions = Awaited<ReturnType<Session["access"]["getPermissions"]>>;

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

export interface Need {
  /** One of these … */
  readonly privileges: readonly string[];
  /** … on one of these paths. */
  readonly paths: readonly string[];
  readonly attribute: readonly string[] | null;
}

/** What the change takes of the caller's rights, said before anything is begun. */
export async function checkPrivileges(
  context: VmPlan,
  api: Session,
  change: { readonly patch: ConfigPatch; readonly needs?: readonly Need[] },
): Promise<void> {
  if (api.identity === "root@pam") return;
  refuseRootOptions(context, api, change.patch);
  // A token of root's may do whatever is not reserved to root itself.
  if (api.identity.startsWith("root@pam!")) return;
  const permissions = await permissionsOf(api);
  const missing = [...optionNeeds(context, change.patch), ...(change.needs ?? [])].filter(
    ({ privileges, paths }) => !paths.some((path) => privileges.some((name) => isGranted(permissions, path, name))),
  );
  const told = new Set<string>();
  for (const { privileges, paths, attribute } of missing) {
    const what = `${privileges.join(" or ")} on ${paths.join(" or ")}`;
    if (told.has(what)) continue;
    told.add(what);
    context.report.error(
      attribute,
      "Privilege missing",
      `${api.identity} needs ${what}. Grant it there or above, to the user and, with privilege separation, to the token.`,
    );
  }
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

function optionNeeds({ config, prior }: VmPlan, { set, delete: removed }: ConfigPatch): Need[] {
  const paths = [`/vms/${config.vmid ?? prior?.vmid ?? "-"}`, ...(config.pool ? [`/pool/${config.pool}`] : [])];
  return [...Object.keys(set), ...removed].flatMap((option) => {
    const privileges = optionPrivileges.find(([pattern]) => pattern.test(option))?.[1];
    return privileges ? [{ privileges, paths, attribute: pathOfOption(attributes, option) }] : [];
  });
}

/** PVE lists every path that has an entry of its own; below it counts what is passed on. */
export function isGranted(permissions: Permissions, path: string, privilege: string): boolean {
  const own = permissions[path];
  if (own) return privilege in own;
  for (let at = parentOf(path); ; at = parentOf(at)) {
    const above = permissions[at];
    if (above) return above[privilege] === true;
    if (at === "/") return false;
  }
}

const parentOf = (path: string): string => path.slice(0, path.lastIndexOf("/")) || "/";

const known = new WeakMap<Session, Promise<Permissions>>();

/** Asked once per run. */
function permissionsOf(api: Session): Promise<Permissions> {
  const permissions = known.get(api) ?? api.access.getPermissions();
  known.set(api, permissions);
  return permissions;
}
