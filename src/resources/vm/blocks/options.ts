import { bool, derived, group, inherits, int, list, matches, number, oneOf, set, string } from "#kit";
import { dnsName } from "../validate/names.ts";

const tag = string({
  check: matches(/^[a-z0-9_][a-z0-9_+.-]*$/i, "letters, digits and `_ + . -`, not starting with a sign"),
  same: (a, b) => a.toLowerCase() === b.toLowerCase(),
});

/** `0` is nothing, `1` the default (qemu-server: src/PVE/QemuServer.pm, `parse_hotplug_features`). */
const hotplugWords = {
  parse: (items: unknown) =>
    (items as readonly string[]).flatMap((item) =>
      item === "0" ? [] : item === "1" ? ["network", "disk", "usb"] : [item],
    ),
  print: (items: unknown) => ((items as readonly string[]).length === 0 ? ["0"] : items),
};

/** Settings that are one option each. Server side: qemu-server `src/PVE/QemuServer.pm`, `$confdesc`. */
export const options = {
  name: inherits(string({ check: dnsName }), "name", "Name; a DNS name, and unique unless `allow_duplicate_name`."),
  description: inherits(string({ same: (a, b) => a.trimEnd() === b.trimEnd() }), "description", "Notes, as Markdown.", {
    as: { parse: (raw) => String(raw).trimEnd() || null, print: (value) => value },
  }),
  tags: inherits(set(tag), "tags", "Tags; PVE stores them in lower case."),
  os_type: inherits(
    oneOf(["other", "wxp", "w2k", "w2k3", "w2k8", "wvista", "win7", "win8", "win10", "win11", "l24", "l26", "solaris"]),
    "ostype",
    "Operating system, for fitting defaults.",
  ),
  boot_order: inherits(list(string()), "boot/order", 'Devices to boot from, such as `["scsi0", "net0"]`.', {
    clears: ["boot/legacy", "bootdisk"],
  }),
  on_boot: inherits(bool(), "onboot", "Whether it starts with its node."),
  startup: group(
    {
      order: inherits(int({ min: 0 }), "startup/order", "Place in the order of starting."),
      up_delay: inherits(int({ min: 0 }), "startup/up", "Seconds to wait before the next one starts."),
      down_delay: inherits(int({ min: 0 }), "startup/down", "Seconds it is given to shut down."),
    },
    "Starting and stopping together with its node. Needs `Sys.Modify` on `/`.",
  ),
  protection: inherits(
    bool(),
    "protection",
    "Whether it and its disks are protected from being removed. The last thing a create sets, so that a create that failed can be replaced.",
  ),
  tablet: inherits(bool(), "tablet", "Whether the pointer is a tablet, so that consoles follow the mouse."),
  keyboard: inherits(
    string({ check: matches(/^[a-z-]{2,5}$/, "a keymap such as `de` or `en-us`") }),
    "keyboard",
    "Keymap of the console.",
  ),
  acpi: inherits(bool(), "acpi", "Whether the guest has ACPI."),
  kvm: inherits(bool(), "kvm", "Whether the processor's virtualisation is used."),
  local_time: inherits(bool(), "localtime", "Whether the hardware clock has local time."),
  start_date: inherits(string(), "startdate", "Date the hardware clock starts with, or `now`."),
  time_drift_fix: inherits(bool(), "tdf", "Whether lost clock ticks are made up for."),
  freeze: inherits(bool(), "freeze", "Whether the processor is stopped at start."),
  allow_reboot: inherits(bool(), "reboot", "Whether the guest may reboot; otherwise it stops."),
  hotplug: inherits(
    set(oneOf(["network", "disk", "cpu", "memory", "usb", "cloudinit"])),
    "hotplug",
    "What can be changed while it runs.",
    { as: hotplugWords, unset: null },
  ),
  args: inherits(string(), "args", "Arguments for QEMU. Needs `root@pam`."),
  hook_script: inherits(string(), "hookscript", "Snippet run at certain moments of its life. Needs `root@pam`."),
  migration: group(
    {
      max_downtime: inherits(number({ min: 0 }), "migrate_downtime", "Seconds it may stand still at the end."),
      max_speed: inherits(int({ min: 0 }), "migrate_speed", "MB/s; `0` is no limit."),
    },
    "How it moves to another node.",
  ),
  vm_state_storage: inherits(string(), "vmstatestorage", "Storage for memory of snapshots and of hibernation."),
  vm_generation_id: inherits(string(), "vmgenid", "Generation ID; PVE makes one. Only `root@pam` may set it.", {
    assigned: true,
    undo: "to_value",
  }),
  template: derived(
    bool(),
    "Whether it is a template. Converting cannot be undone.",
    { parse: (draft) => Number(draft.raw("template") ?? 0) === 1 },
    { undo: "never" },
  ),
} as const;
